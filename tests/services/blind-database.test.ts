import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DevJson, defaultStateDir } from '../../cli/dev-json.js';
import { loadSecrets } from '../../cli/start/secrets.js';
import { createSql, type Sql } from '../../db/client.js';
import { timestampedSignature } from '../../platform/crypto/signature.js';
import { call, freshTask, patientIn, shared } from '../helpers/client.js';
import { type SecondApi, startSecondApi } from '../helpers/second-api.js';
import { openApiOf, operationsOf } from './openapi.js';

// An orchestrator whose database knows its clients and refuses everything else: a failure that nobody foresaw.
const dev = shared();
const role = `blind_${randomBytes(6).toString('hex')}`;
let sql: Sql;
let api: SecondApi | undefined;
let blind: DevJson;

beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  await sql.unsafe(`
    create role ${role} login password 'blind';
    grant usage on schema access to ${role};
    grant select, update on access.api_key to ${role};
  `);
  const url = new URL(dev.databaseUrl);
  Object.assign(url, { username: role, password: 'blind' });
  api = await startSecondApi(dev, ['orchestrator'], {
    ORCHESTRATOR_DATABASE_URL: url.href,
    LOG_LEVEL: 'silent',
  });
  blind = { ...dev, services: { ...dev.services, ...api.services } };
});
afterAll(async () => {
  await api?.stop();
  await sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  await sql.end();
});

const emrPatientId = patientIn(dev, 'NY');
const order = { taskId: freshTask(), emrPatientId, medication: 'semaglutide' };
const id = randomUUID();
const asked: [method: string, path: string, body?: unknown][] = [
  ['POST', '/orchestrator/approve', order],
  ['POST', '/orchestrator/deny', { ...order, denialReason: 'Not suitable' }],
  ['GET', `/orchestrator/status/${freshTask()}`],
  ['POST', '/orchestrator/refill-check', {}],
  ['GET', '/orchestrator/refill-schedules'],
  [
    'POST',
    '/orchestrator/refill-schedules',
    { emrPatientId, medication: 'semaglutide', totalRefillsAllowed: 3 },
  ],
  ['GET', `/orchestrator/refill-schedules/${id}`],
  ['POST', `/orchestrator/refill-schedules/${id}/pause`],
  ['POST', `/orchestrator/refill-schedules/${id}/resume`],
  ['POST', `/orchestrator/refill-schedules/${id}/cancel`],
  ['GET', '/orchestrator/runs'],
  ['POST', `/orchestrator/payments/${freshTask()}/retry`],
];
// A row that is shorter than the test's parameters would get Jest's own callback in their place.
const routes = asked.map(([method, path, body]) => [method, path, body] as const);
const internal = [500, { error: 'Internal error', requestId: expect.any(String) }];

describe('a failure that nobody foresaw', () => {
  test.each(routes)('500: %s %s says no more than the request id', async (method, path, body) => {
    const answer = await call(blind, 'orchestrator', { method, path, body });
    expect([answer.status, answer.body]).toEqual(internal);
    expect(answer.body['requestId']).toBe(answer.headers.get('x-request-id'));
  });

  test('500: POST /api/pharmacy-router/callback says no more than the request id', async () => {
    const body = JSON.stringify({
      submissionId: id,
      sourceOrderId: freshTask(),
      pharmacy: 'pharmacy_a',
      status: 'shipped',
      pharmacyOrderId: 'case_1',
      trackingNumber: null,
      carrier: null,
    });
    const response = await fetch(`${blind.services.orchestrator}/api/pharmacy-router/callback`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...timestampedSignature(loadSecrets(defaultStateDir()).orchestratorApiSecret, body),
      },
      body,
    });
    expect([response.status, await response.json()]).toEqual(internal);
  });

  test('every route that documents it is asked', async () => {
    const documented = operationsOf(await openApiOf(dev, 'orchestrator')).filter(
      ({ responses }) => '500' in responses,
    );
    expect(documented).toHaveLength(routes.length + 1);
  });
});

test('GET /ready: 200 while the database lets it in, whatever it may do there', async () => {
  const response = await fetch(`${blind.services.orchestrator}/ready`);
  expect(response.status).toBe(200);
});

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import { createSql } from '../../db/client.js';
import { openWorkItem } from '../../db/work-items.js';
import { operationIdOf } from '../../api/openapi/operation-id.js';
import type { Examples } from '../../api/openapi/page.js';
import { services } from '../../api/services.js';
import { isNpi } from '../../domain/check-digits.js';
import { type Method, ServiceClient } from '../../clients/typescript/src/index.js';
import type { ServiceName } from '../../platform/service-names.js';
import { adminToken, eventually, freshTask, patientIn, shared } from '../helpers/client.js';
import { inState } from '../helpers/prescription.js';
import {
  type CallOptions,
  takeOfExceptions,
  takeOfOrders,
  takeOfPayments,
  takeStuckRun,
} from './examples-of-exceptions.js';
import { takeOfBooks, takeOfEvents } from './examples-of-books.js';
import { newIntake } from './intake/intakes.js';

/**
 * The examples on the OpenAPI pages are recorded (`npm run generate -- examples`), and still of the shape that the
 * services answer.
 */
const dev = shared();
const isRecording = process.env['WRITE_EXAMPLES'] === 'yes';
const keys: Partial<Record<ServiceName, string>> = {
  router: 'clinic',
  orchestrator: 'approvals',
  registry: 'registry',
  notification: 'notifier',
};
type Json = Record<string, unknown>;
type Recorded = Record<string, { request?: unknown; answers: Record<string, unknown> }>;
const recorded: Partial<Record<ServiceName, Recorded>> = {};
let token: string;

/** Calls an operation and notes it as an example. @param path as the page has it, with the values of its parameters */
async function take(
  service: ServiceName,
  method: Method,
  path: string,
  {
    parameters = {},
    query = '',
    body,
    signed = keys[service] !== undefined,
    key = keys[service] ?? '',
  }: CallOptions = {},
): Promise<Json> {
  const { key: id = '', secret = '' } = dev.apiKeys[key] ?? {};
  // By version 1: another test counts the nonces of the registry's key.
  const credentials = signed ? { key: { id, secret, signatureVersion: 1 as const } } : { token };
  const client = new ServiceClient(service, { baseUrl: dev.services[service], ...credentials });
  const target = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(parameters[name]!));
  const answer = await client.send(method, target + query, body === undefined ? '' : JSON.stringify(body));
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  const entry = {
    ...(body === undefined ? {} : { request: body }),
    answers: { [answer.status]: answer.body },
  };
  (recorded[service] ??= {})[operationIdOf(method.toLowerCase(), path)] = entry;
  return answer.body as Json;
}
const first = '?limit=1';

beforeAll(async () => {
  token = await adminToken(dev);
  const taskId = freshTask();
  const emrPatientId = patientIn(dev, 'NY');
  const approval = { taskId, medication: 'semaglutide', emrPatientId };
  await take('orchestrator', 'POST', '/orchestrator/approve', { body: approval });
  await take('orchestrator', 'GET', '/orchestrator/status/{taskId}', { parameters: { taskId } });
  const denial = { taskId: freshTask(), reason: 'Another medicine suits better' };
  await take('orchestrator', 'POST', '/orchestrator/deny', { body: denial });
  await take('orchestrator', 'GET', '/orchestrator/runs', { query: first });
  const schedule = { emrPatientId, medication: 'semaglutide', totalRefillsAllowed: 3 };
  await take('orchestrator', 'POST', '/orchestrator/refill-schedules', { body: schedule });
  await take('orchestrator', 'GET', '/orchestrator/refill-schedules', { query: first });

  const submitted = await take('router', 'POST', '/rx/prescriptions/submit', { body: inState('WA') });
  const id = String(submitted['submissionId']);
  await take('router', 'GET', '/rx/prescriptions/{id}', { parameters: { id } });
  await take('router', 'GET', '/rx/prescriptions', { query: first });
  await take('router', 'GET', '/rx/prescriptions/{id}/callbacks', { parameters: { id } });

  const nine = String(Math.floor(1e8 + Math.random() * 9e8));
  const npi = Array.from({ length: 10 }, (_, digit) => `${nine}${digit}`).find(isNpi)!;
  const physician = { firstName: 'Blair', lastName: 'Chen', npi, suffix: 'MD', platform: 'both' };
  const made = await take('registry', 'POST', '/physicians', { body: physician });
  const parameters = { id: String((made['physician'] as Json)['id']) };
  await take('registry', 'GET', '/physicians/{id}', { parameters });
  await take('registry', 'GET', '/physicians', { query: first });
  const license = { state: 'WY', licenseNumber: 'WY-1', expirationDate: '2099-12-31', licenseType: null };
  await take('registry', 'POST', '/physicians/{id}/licenses', { parameters, body: license });
  await take('registry', 'GET', '/physicians/{id}/licenses', { parameters });
  await take('registry', 'GET', '/route', { query: '?platform=platform_a&state=NY' });

  await take('intake', 'GET', '/plans', { signed: false });
  await take('intake', 'POST', '/submit', { signed: false, body: await newIntake(dev) });
  await take('intake', 'POST', '/validate-coupon', { signed: false, body: { code: 'WELCOME25' } });

  const notification = {
    type: 'welcome',
    recipient: { email: 'ada@patients.test' },
    variables: { firstName: 'Ada' },
  };
  await take('notification', 'POST', '/notify/send', { body: { ...notification, channels: ['email'] } });
  await take('notification', 'GET', '/notify/log', { query: first, signed: false });
  await take('notification', 'GET', '/notify/templates/{type}', {
    parameters: { type: 'welcome' },
    signed: false,
  });

  const slug = `clinic-${randomUUID().slice(0, 8)}`;
  const organization = await take('organization', 'POST', '/v1/organizations', {
    body: { slug, displayName: 'Larch Clinic', kind: 'b2b' },
  });
  const organizationId = String((organization['organization'] as Json)['id']);
  await take('organization', 'GET', '/v1/organizations/{id}', { parameters: { id: organizationId } });
  await take('organization', 'GET', '/v1/organizations', { query: first });
  const contactEmail = `ada.${randomUUID()}@patients.test`;
  const patient = await take('patients', 'POST', '/v1/patients', {
    body: {
      organizationId,
      contactEmail,
      demographics: {
        firstName: 'Ada',
        lastName: 'Test',
        dob: '1984-03-12',
        gender: 'female',
        phone: '+1 (202) 555-0101',
        address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'NY', zip: '13202' },
      },
      intake: { intakeType: 'glp-1', submittedAt: '2026-01-01T12:00:00Z', payload: { allergies: [] } },
    },
  });
  await take('patients', 'GET', '/v1/patients/{id}', {
    parameters: { id: String((patient['patient'] as Json)['id']) },
  });
  await take('patients', 'POST', '/v1/patients/email-lookup', {
    body: { organizationId, email: contactEmail },
  });
  await take('bridge', 'GET', '/emr-sync-attempts', { query: first });
  await take('bridge', 'GET', '/webhook-events', { query: first });
  await takeOfWorklist();
  const answered = await takeOfExceptions(dev, take);
  await takeOfOrders(dev, take);
  await takeOfPayments(dev, take);
  await takeOfEvents(dev, take);
  await takeOfBooks(dev, take);
  await take('worklist', 'GET', '/v1/timeline/{taskId}', { parameters: { taskId: answered } });
  // A run is stuck after five minutes: only the recording waits for one.
  if (isRecording) await takeStuckRun(dev, take);
  else await take('worklist', 'GET', '/v1/stuck-runs');
}, 900_000);

/** Work items, from the list to the answer. */
async function takeOfWorklist(): Promise<void> {
  const fact = randomUUID();
  const item = {
    kind: 'domain_unverified',
    fact,
    reason: 'no_record',
    references: { domainId: fact },
  } as const;
  const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  const organizationId = randomUUID();
  await sql.begin((sql) => openWorkItem(sql, 'organization', { ...item, organizationId }));
  await sql.end();
  const id = await eventually(async () => {
    const query = `?organizationId=${organizationId}`;
    const { workItems } = await take('worklist', 'GET', '/v1/work-items', { query });
    return (workItems as { id: string }[])[0]?.id;
  });
  const ofItem = { parameters: { id } };
  await take('worklist', 'GET', '/v1/work-items/counts');
  await take('worklist', 'GET', '/v1/work-items/{id}', ofItem);
  const note = { note: 'Asked the owner of the domain.' };
  await take('worklist', 'POST', '/v1/work-items/{id}/note', { ...ofItem, body: note });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  await take('worklist', 'POST', '/v1/work-items/{id}/snooze', { ...ofItem, body: { until } });
  await take('worklist', 'POST', '/v1/work-items/{id}/answer', { ...ofItem, body: { answer: 'dismiss' } });
}

test('the examples on the pages are of the shape that the services answer', () => {
  for (const [service, operations] of Object.entries(recorded)) {
    const file = `api/openapi/examples/${services[service as ServiceName].healthName}.json`;
    if (isRecording) {
      mkdirSync('api/openapi/examples', { recursive: true });
      writeFileSync(file, `${JSON.stringify(operations, null, 2)}\n`);
    }
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Examples;
    expect(Object.keys(kept)).toEqual(Object.keys(operations));
    for (const [name, { answers }] of Object.entries(operations))
      for (const [status, body] of Object.entries(answers))
        expect({ service, name, differing: differing(kept[name]?.answers?.[status], body) }).toEqual({
          service,
          name,
          differing: [],
        });
  }
});

/** Where two values differ in their fields; what is null or empty in one of them may be anything. */
function differing(kept: unknown, given: unknown, at = '$'): string[] {
  if (kept === null || given === null) return [];
  if (Array.isArray(kept) && Array.isArray(given))
    return kept.length === 0 || given.length === 0 ? [] : differing(kept[0], given[0], `${at}[0]`);
  if (typeof kept !== typeof given) return [at];
  if (typeof kept !== 'object') return [];
  const [a, b] = [kept as Json, given as Json];
  const names = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return names.flatMap((name) =>
    name in a && name in b ? differing(a[name], b[name], `${at}.${name}`) : [`${at}.${name}`],
  );
}

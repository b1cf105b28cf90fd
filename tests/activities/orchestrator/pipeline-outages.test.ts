import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPharmacyActivities } from '../../../activities/orchestrator/pharmacy.js';
import { createPrescriberActivities } from '../../../activities/orchestrator/prescribers.js';
import { createShipmentActivities } from '../../../activities/orchestrator/shipments.js';
import { createSql } from '../../../db/client.js';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';
import { createRegistryClient } from '../../../integrations/registry/client.js';
import { createRouterClient } from '../../../integrations/router/client.js';
import { createShippingClient } from '../../../integrations/shipping/client.js';
import { createLogger } from '../../../platform/logger.js';
import { before } from '../../helpers/before.js';
import { shared } from '../../helpers/client.js';

const sql = createSql(shared().databaseUrl, { applicationName: 'test', max: 1 });
const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await sql.end();
});

/** A service of ours that answers as told. */
async function partyThat(answers: RequestListener) {
  const server = createServer(answers);
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}`, keyId: 'k', secret: 's'.repeat(32) };
}
const silent: RequestListener = () => undefined;

describe('step 3 goes by the static table (D36)', () => {
  const prescriber = { suffix: '', emrPractitionerId: '' };
  const staticPrescribers = {
    A: { ...prescriber, firstName: 'Static', lastName: 'A', npi: '1000000012' },
    B: { ...prescriber, firstName: 'Static', lastName: 'B', npi: '1000000020' },
  };

  test.each<[string, RequestListener]>([
    [
      'has no match',
      (_request, response) => response.end('{"physician":null,"reason":"No physician available"}'),
    ],
    ['answers 500', (_request, response) => response.writeHead(500).end('{"error":"Internal error"}')],
    ['has not answered within 2 s', silent],
  ])('when the registry %s', async (_what, answers) => {
    const activities = createPrescriberActivities({
      sql,
      registry: createRegistryClient({ party: 'Registry', ...(await partyThat(answers)) }),
      platform: 'platform_a',
      staticPrescribers,
      logger: createLogger({ level: 'silent' }),
    });
    const resolve = (state: string) =>
      new MockActivityEnvironment().run(() => activities.resolvePrescriber({ state }));
    const both = Promise.all([resolve('LA'), resolve('OH')]);
    expect(await before(8_000, both)).toEqual([staticPrescribers.A, staticPrescribers.B]);
  });
});

describe('step 4 at a router that gives no answer of the pharmacy (D114)', () => {
  const answering =
    (status: number, body: object): RequestListener =>
    (_request, response) =>
      response.writeHead(status).end(JSON.stringify(body));
  /** The error of the attempt with that number, an hour after the first one where `isOver`. */
  async function failureOf(router: { baseUrl: string; keyId: string; secret: string }, isOver = false) {
    const activities = createPharmacyActivities({
      sql,
      router: createRouterClient({ party: 'Router', ...router }),
      publicUrl: 'http://127.0.0.1:9',
      ownOutageMinutes: 60,
    });
    const submission = {
      sourceOrderId: `test-${randomUUID()}`,
      patient: {
        firstName: 'Ada',
        lastName: 'Test',
        dob: '1990-01-31',
        gender: 'female' as const,
        phone: '+12025550101',
        address: { line1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
        contact: { name: 'Ada Test' },
      },
      prescriber: { firstName: 'Sam', lastName: 'Ito', suffix: '', npi: '1000000020', emrPractitionerId: '' },
      config: builtInMedication('semaglutide')!,
    };
    const scheduledTimestampMs = Date.now() - (isOver ? 60 * 60_000 : 59 * 60_000);
    return new MockActivityEnvironment({ attempt: 99, scheduledTimestampMs, startToCloseTimeoutMs: 700 })
      .run(() => activities.submitToPharmacy(submission))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  }
  const submissionId = randomUUID();
  const nobody = { baseUrl: 'http://127.0.0.1:9', keyId: 'k', secret: 's'.repeat(32) };

  test('waits for less than an hour, whatever the attempt, and says what is away; then it is given up', async () => {
    const [waiting, over] = await Promise.all([failureOf(nobody), failureOf(nobody, true)]);
    const message = expect.stringMatching(/^Router could not be reached \(E/);
    expect(waiting).toMatchObject({ type: 'OwnOutage', message, nonRetryable: false });
    expect(over).toMatchObject({ type: 'Unavailable', message, nonRetryable: true });
  });

  test.each<[string, RequestListener]>([
    ['hangs', silent],
    ['breaks the connection off', (request) => request.socket.destroy()],
    ['answers 500', answering(500, { error: 'Internal error' })],
    ['answers 503 for a run that goes on', answering(503, { error: 'Still under way', submissionId })],
    ['stands behind a proxy that answers 502', answering(502, { error: 'Bad gateway' })],
  ])('waits where it %s', async (_what, answers) => {
    expect(await failureOf(await partyThat(answers))).toMatchObject({
      type: 'OwnOutage',
      nonRetryable: false,
    });
  });

  test("does not wait for another word than the pharmacy's, and knows by a header whether the order may exist", async () => {
    const verdict = {
      submissionId,
      pharmacy: 'pharmacy_a',
      status: 'failed',
      pharmacyOrderId: null,
      error: 'No',
    };
    const body = JSON.stringify(verdict);
    const rejected = await partyThat((_request, response) =>
      response.writeHead(502, { 'x-order-outcome': 'rejected' }).end(body),
    );
    const unknown = await partyThat((_request, response) =>
      response.writeHead(502, { 'x-order-outcome': 'unknown' }).end(body),
    );
    const conflict = await partyThat((_request, response) =>
      response.writeHead(409, { 'x-order-outcome': 'unknown' }).end(body),
    );
    const final = { type: 'Rejected', message: 'No', nonRetryable: true };
    expect(await failureOf(rejected)).toMatchObject({ ...final, details: [{ unknownId: null }] });
    expect(await failureOf(unknown)).toMatchObject({ ...final, details: [{ unknownId: submissionId }] });
    const details = [{ unknownId: submissionId, isEarlier: true }];
    expect(await failureOf(conflict)).toMatchObject({ ...final, details });
  });
});

test.each(['<html></html>', '{"shipmentId":"shp_1"}'])(
  'step 6 leaves a label in doubt if the shipping service created it and answers %s (D114)',
  async (body) => {
    const service = await partyThat((_request, response) => response.writeHead(201).end(body));
    const shipping = createShippingClient({ party: 'Shipping service', ...service });
    const submissionId = randomUUID();
    const order = { submissionId, pharmacy: 'pharmacy_c' as const, pharmacyOrderId: 'case-1' };
    const shipment = { submissionId, taskId: 'task', emrPatientId: randomUUID(), pharmacy: order.pharmacy };
    const address = { line1: '1 Main St', city: 'Albany', state: 'NY', zip: '12207' };
    const patient = { firstName: 'Ada', lastName: 'Test', phone: '+12025550101', address };
    const made = new MockActivityEnvironment({ startToCloseTimeoutMs: 60_000 }).run(() =>
      createShipmentActivities({ sql, shipping }).shipOrder({ shipment, order, patient }),
    );
    await expect(made).rejects.toMatchObject({
      type: 'Unavailable',
      message: 'Shipping service could not be reached (UNREADABLE_ANSWER)',
    });
  },
);

import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Server as TcpServer, Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPharmacyActivities } from '../../../activities/orchestrator/pharmacy.js';
import { createPrescriberActivities } from '../../../activities/orchestrator/prescribers.js';
import { createSql, type Sql } from '../../../db/client.js';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';
import { createRegistryClient } from '../../../integrations/registry/client.js';
import { createRouterClient } from '../../../integrations/router/client.js';
import { createLogger } from '../../../platform/logger.js';
import { shared } from '../../helpers/client.js';
import { freshSignature } from '../../helpers/png.js';
import { type Exchange, callsTo } from '../../api/orchestrator/approvals.js';

const dev = shared();
const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
const servers: (Server | TcpServer)[] = [];
const sockets = new Set<Socket>();
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await sql.end({ timeout: 1 });
});

async function listening(server: Server | TcpServer): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** As a worker runs it. */
const running = <O>(activity: () => Promise<O>, startToCloseTimeoutMs = 1_000): Promise<O> =>
  new MockActivityEnvironment({ startToCloseTimeoutMs }).run<[], O, typeof activity>(activity);

const physician = {
  id: randomUUID(),
  firstName: 'Sam',
  lastName: 'Ito',
  suffix: null,
  npi: '1000000020',
  emrPractitionerId: null,
};
const info = { firstName: 'Sam', lastName: 'Ito', suffix: '', npi: '1000000020', emrPractitionerId: '' };

/** Step 3 against a registry of this test that routes to one physician with this signature. */
async function step3(image: () => string | undefined, ownDatabase: Sql = sql) {
  const port = await listening(
    createHttpServer((_request, response) =>
      response.end(JSON.stringify({ physician: { ...physician, signatureImage: image() } })),
    ),
  );
  const nobody = { ...info, npi: '0' };
  const activities = createPrescriberActivities({
    sql: ownDatabase,
    registry: createRegistryClient({
      party: 'Registry',
      baseUrl: `http://127.0.0.1:${port}`,
      keyId: 'k',
      secret: 's'.repeat(32),
    }),
    platform: 'platform_a',
    staticPrescribers: { A: nobody, B: nobody },
    logger: createLogger({ level: 'silent' }),
  });
  return () => running(() => activities.resolvePrescriber({ state: 'TX' }));
}

describe('step 3 ends with the prescriber, with or without a signature', () => {
  test('a registry that does not show the signature costs the signature only', async () => {
    const resolve = await step3(() => undefined);
    expect(await resolve()).toEqual(info);
  });

  test('a database of our own that never answers costs the signature and two seconds in all', async () => {
    const port = await listening(createTcpServer());
    const silent = createSql(`postgres://nobody@127.0.0.1:${port}/none`, { applicationName: 'test', max: 1 });
    const resolve = await step3(() => freshSignature().toString('base64'), silent);
    // The attempt to connect ends by itself after 5 s.
    let isConnecting = true;
    const connecting = silent`select 1`.catch(() => (isConnecting = false));
    expect(await resolve()).toEqual(info);
    expect(isConnecting).toBe(true);
    await silent.end({ timeout: 0 });
    await connecting;
  });
});

test('a submission repeated after the signature was replaced goes out as before and is no conflict', async () => {
  let image = freshSignature().toString('base64');
  const first = image;
  const resolve = await step3(() => image);
  const prescriber = await resolve();
  image = freshSignature().toString('base64');
  expect((await resolve()).signatureId).not.toBe(prescriber.signatureId);

  const { key: keyId, secret } = dev.apiKeys['orchestrator']!;
  const activities = createPharmacyActivities({
    sql,
    router: createRouterClient({ party: 'Router', baseUrl: dev.services.router, keyId, secret }),
    publicUrl: dev.services.orchestrator,
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
      email: 'ada@example.test',
      address: { line1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' },
      contact: { name: 'Ada Test' },
    },
    prescriber,
    config: builtInMedication('semaglutide')!,
  };
  const submit = () => running(() => activities.submitToPharmacy(submission), 25_500);
  const answer = await submit();
  expect(answer.pharmacy).toBe('pharmacy_b');
  expect(await submit()).toEqual(answer);
  const sent = (await callsTo(dev, 'pharmacy_b')).filter(
    ({ operation, body }: Exchange) => operation === 'order' && body['reference'] === answer.submissionId,
  );
  expect(sent).toMatchObject([{ body: { signedPrescriptionImage: first } }]);
});

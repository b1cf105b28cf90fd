import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { createPharmacyActivities } from '../../../activities/orchestrator/pharmacy.js';
import { createPrescriberActivities } from '../../../activities/orchestrator/prescribers.js';
import { createSql } from '../../../db/client.js';
import { staticMedication } from '../../../domain/orchestrator/medications.js';
import { createRegistryClient } from '../../../integrations/registry/client.js';
import { createRouterClient } from '../../../integrations/router/client.js';
import { createLogger } from '../../../platform/logger.js';
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
    const startedAt = performance.now();
    const [la, oh] = await Promise.all([resolve('LA'), resolve('OH')]);
    expect([la, oh]).toEqual([staticPrescribers.A, staticPrescribers.B]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

describe('step 4 at a router that hangs', () => {
  /** The attempt of that number, at a router that never answers. */
  async function failureOf(attempt: number) {
    const activities = createPharmacyActivities({
      sql,
      router: createRouterClient({ party: 'Router', ...(await partyThat(silent)) }),
      publicUrl: 'http://127.0.0.1:9',
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
      },
      prescriber: { firstName: 'Sam', lastName: 'Ito', suffix: '', npi: '1000000020', emrPractitionerId: '' },
      medication: 'semaglutide',
      config: staticMedication('semaglutide')!,
    };
    return new MockActivityEnvironment({ attempt, startToCloseTimeoutMs: 700 })
      .run(() => activities.submitToPharmacy(submission))
      .then(
        () => undefined,
        (error: unknown) => error,
      );
  }

  test('is tried once more after the first call, and given up after the second (D34)', async () => {
    const [first, second] = await Promise.all([failureOf(1), failureOf(2)]);
    const silence = { type: 'Unavailable', message: expect.stringContaining('did not answer within') };
    expect(first).toMatchObject({ ...silence, nonRetryable: false });
    expect(second).toMatchObject({ ...silence, nonRetryable: true });
  });
});

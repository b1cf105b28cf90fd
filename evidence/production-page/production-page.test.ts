import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { allSteps } from '../../tests/api/orchestrator/approvals.js';
import { startApart } from './machines.js';

// Follows docs/production.md, "From nothing to an approval", block by block. Needs Linux, root, Go, openssl and psql.
const folder = mkdtempSync(join(tmpdir(), 'scriptrail-page-'));
const saying = (text: string) => expect.stringContaining(text) as unknown;
let reader: ChildProcess;

/** Runs an action of the page's reader in the network of the machines. */
async function has<T>(name: string, argument = ''): Promise<T> {
  reader.send({ name, argument });
  const ended = once(reader, 'exit').then(() => [{ error: 'the reader has ended' }]);
  const [{ answer, error }] = (await Promise.race([once(reader, 'message'), ended])) as [
    { answer: T; error?: string },
  ];
  if (error !== undefined) throw new Error(error);
  return answer;
}

beforeAll(() => {
  reader = startApart('evidence/production-page/follow.ts', folder);
});

afterAll(async () => {
  const ended = once(reader, 'exit');
  reader.disconnect();
  await ended;
  rmSync(folder, { recursive: true, force: true });
}, 600_000);

test('the page, block by block on clean machines, ends with an approval of seven steps', async () => {
  const { approval } = await has<{ approval: string }>('follow');
  expect(approval).toMatch(/^200\n/);
  const body = JSON.parse(approval.slice(approval.indexOf('{'), approval.lastIndexOf('}') + 1)) as {
    result: { completedSteps: string[]; warnings: string[] };
  };
  expect(body.result).toMatchObject({ completedSteps: allSteps, warnings: [] });
  expect(approval).toContain('https://temporal.example.org/namespaces/default/workflows/approval:');
}, 3_600_000);

test('what is refused on the way says what to do', async () => {
  const refusals = await has<Record<string, string>>('refuse');
  expect(refusals).toMatchObject({
    'without the parties’ secrets': saying('PHARMACY_A_API_KEY: is missing'),
    'without TLS to Temporal': saying('TEMPORAL_ADDRESS: must be on loopback or have TEMPORAL_TLS'),
    'without its gateways': saying('TRUSTED_PROXIES: must list the gateways'),
    'to a party without TLS': saying('EMR_BASE_URL: must be an https URL in production'),
    'to Postgres without TLS': saying('ORCHESTRATOR_DATABASE_URL: must have sslmode=verify-full'),
    'to Postgres with another password': saying('password authentication failed'),
    'with a test key of the processor': saying('STRIPE_SECRET_KEY: is a test key'),
    'with one address of each Temporal server': saying('for several servers use a load balancer'),
    'a service that does not know the authority': saying('set NODE_EXTRA_CA_CERTS to the file'),
    'a port that another has': saying('Port 4002 is in use: stop what uses it'),
    'migrations without the owner': saying('DATABASE_URL is missing: the address of the database'),
    'migrations that do not know the authority': saying('set NODE_EXTRA_CA_CERTS to the file'),
    'Temporal’s set-up without TLS': saying('Check that a server listens at TEMPORAL_ADDRESS'),
    'Temporal’s set-up without a certificate of its own': saying(
      'Check that a server listens at TEMPORAL_ADDRESS',
    ),
    'keys without what they are sealed with': saying('SECRET_ENCRYPTION_KEYS is missing'),
    'an approval of a system that is not described': saying('SCRIPTRAIL_SYSTEM is missing'),
  });
}, 900_000);

test('kill -9 of each process in turn, two approvals under way each time: every one completes, once with everybody outside', async () => {
  for (const victim of await has<string[]>('victims')) {
    const survived = await has<object>('kill', victim);
    process.stderr.write(`${JSON.stringify(survived)}\n`);
    const once = { orders: 2, charges: 2, mails: 2 };
    expect(survived).toMatchObject({ victim, approvals: 2, completed: 2, books: once });
  }
}, 3_600_000);

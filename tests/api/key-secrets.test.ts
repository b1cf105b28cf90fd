import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { call, shared } from '../helpers/client.js';

const dev = shared();
const secrets = loadSecrets(defaultStateDir());

/** The scopes of its signed routes; `admin` implies each (D4). */
const served = {
  router: ['router', 'worklist'],
  orchestrator: ['orchestrator', 'payments', 'worklist', 'timeline'],
  registry: ['registry'],
  notification: ['notification'],
  intake: ['worklist'],
  organization: ['worklist'],
  patients: ['worklist'],
  bridge: ['worklist'],
  worklist: ['timeline'],
} as const;
type Served = keyof typeof served;
const names = Object.keys(served) as Served[];

let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

/** As a process of the service connects. */
async function asService<T>(name: Served, work: (sql: Sql) => Promise<T>): Promise<T> {
  const url = new URL(dev.databaseUrl);
  Object.assign(url, { username: `scriptrail_${name}`, password: secrets[`${name}DatabasePassword`] });
  const own = createSql(url.href, { applicationName: 'test', max: 1 });
  return work(own).finally(() => own.end());
}
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id).sort();

describe.each(names)('the database role of %s', (name) => {
  test('reads the sealed secrets of the scopes that it serves, and of no other key', async () => {
    const expected = await sql<{ id: string }[]>`
      select id from access.api_key where scopes && ${[...served[name], 'admin']}
    `;
    const seen = await asService(name, (own) => own<{ id: string }[]>`select id from access.api_key_secret`);
    expect(idsOf(seen)).toEqual(idsOf(expected));
    const [{ all }] = await sql<[{ all: number }]>`select count(*)::int as all from access.api_key_secret`;
    expect(seen.length).toBeLessThan(all);
  });

  test('changes none of them', async () => {
    await expect(
      asService(name, (own) => own`update access.api_key_secret set sealed_secret = 'x'`),
    ).rejects.toThrow('permission denied');
  });
});

test('a key of another scope is 403, also with a wrong signature: its secret is not there to check it', async () => {
  const ask = (headers?: Record<string, string>) =>
    call(dev, 'router', { key: 'approvals', path: '/rx/prescriptions/none', ...(headers && { headers }) });
  for (const answer of [await ask(), await ask({ 'x-signature': 'f'.repeat(64) })])
    expect([answer.status, answer.body]).toEqual([403, { error: 'Key not allowed for this service' }]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { defaultStateDir } from '../../../dev/dev-json.js';
import { loadSecrets } from '../../../dev/start/secrets.js';
import { type AdminClaims, issueAdminToken } from '../../../platform/crypto/admin-token.js';
import { adminToken, callAs, shared } from '../../helpers/client.js';
import { startSecondApi } from '../../helpers/second-api.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 })));
afterAll(() => sql.end());

/** A token that whoever holds the secret can make. */
const forged = (claims: Partial<AdminClaims>) =>
  issueAdminToken(loadSecrets(defaultStateDir()).adminJwtSecret, {
    sub: randomUUID(),
    kind: 'admin',
    isSuperadmin: false,
    memberships: [{ orgId: randomUUID(), role: 'org_admin' }],
    ver: 0,
    ...claims,
  });

const routes = [
  ['organization', '/v1/organizations'],
  ['intake', '/admin/intake-retries'],
  ['notification', '/notify/channels'],
  ['patients', '/v1/orphans'],
  ['bridge', '/webhook-events'],
  ['worklist', '/v1/work-items'],
] as const;

test.each(routes)(
  '%s: 401 for a token of an admin that nobody knows, superadmin or not (D72)',
  async (service, path) => {
    for (const claims of [{ isSuperadmin: true }, {}, { sub: 'nobody', isSuperadmin: true }]) {
      const { status } = await callAs(dev, service, await forged(claims), { path });
      expect([claims, status]).toEqual([claims, 401]);
    }
  },
);

test.each(routes)(
  '%s: 401 for a superadmin’s or operator’s token of an admin who is none (D72, D141)',
  async (service, path) => {
    const sub = randomUUID();
    const own = await adminToken(dev, { sub, memberships: [{ orgId: randomUUID(), role: 'org_admin' }] });
    expect((await callAs(dev, service, own, { path })).status).not.toBe(401);
    for (const claims of [{ isSuperadmin: true }, { isOperator: true }]) {
      const token = await forged({ sub, ver: 999_999, ...claims });
      expect([claims, (await callAs(dev, service, token, { path })).status]).toEqual([claims, 401]);
    }
  },
);

test('an admin whom the service knows is not asked about; a superadmin or operator is 503 while nobody can be asked (D72)', async () => {
  const alone = await startSecondApi(dev, ['worklist'], { ORGANIZATION_URL: 'http://127.0.0.1:9' });
  try {
    const at = { ...dev, services: { ...dev.services, ...alone.services } };
    const sub = randomUUID();
    const known = await adminToken(dev, { sub, memberships: [{ orgId: randomUUID(), role: 'org_admin' }] });
    const ask = async (token: string) =>
      (await callAs(at, 'worklist', token, { path: '/v1/work-items' })).status;
    expect(await ask(known)).toBe(503);
    expect((await callAs(dev, 'worklist', known, { path: '/v1/work-items' })).status).toBe(200);
    expect(await sql`select ver from worklist.admin_session where admin_id = ${sub}`).toEqual([{ ver: 0 }]);
    expect(await ask(known)).toBe(200);
    expect(await ask(await adminToken(dev))).toBe(503);
    const operator = await adminToken(dev, { sub: randomUUID(), isOperator: true });
    expect((await callAs(dev, 'worklist', operator, { path: '/v1/work-items' })).status).toBe(200);
    expect(await ask(operator)).toBe(503);
  } finally {
    await alone.stop();
  }
});

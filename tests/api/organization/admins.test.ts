import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import type { Role } from '../../../domain/organization/memberships.js';
import { adminToken, atOnce, callAs, eventually } from '../../helpers/client.js';
import {
  type Admin,
  ask,
  createTenant,
  dev,
  eventsOf,
  forgedToken,
  freshEmail,
  grant,
  invalid,
  invite,
  newAdmin,
  newInvited,
  newTenant,
  refused,
  root,
  type Tenant,
  tokenOf,
} from './tenants.js';

let sql: Sql;
let superadmin: string;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  superadmin = await root();
});
afterAll(() => sql.end());

const anyTime = expect.any(String);
const versionOf = async (id: string) =>
  (await sql<{ ver: number }[]>`select ver from organization.admin_user where id = ${id}`)[0]!.ver;
const typesOf = async (id: string) => (await eventsOf(sql, id)).map(({ detailType }) => detailType);
const grantAs = (token: string, adminId: string, organizationId: string, role: string) =>
  ask(token, 'POST', `/v1/admin-users/${adminId}/memberships`, { organizationId, role });
const revokeAs = (token: string | undefined, adminId: string, organizationId: string) =>
  ask(token, 'DELETE', `/v1/admin-users/${adminId}/memberships/${organizationId}`);

describe('POST /v1/admin-users', () => {
  const post = (token: string | undefined, body: unknown) =>
    ask<{ adminUser: Admin }>(token, 'POST', '/v1/admin-users', body);
  const fresh = () => ({ email: freshEmail(), displayName: 'Kim Doe' });

  test('201 by a superadmin: invited, and admin.user_invited without an organization', async () => {
    const body = fresh();
    const { status, body: answer } = await post(superadmin, body);
    expect(status).toBe(201);
    expect(answer).toEqual({
      adminUser: {
        id: expect.any(String),
        ...body,
        state: 'invited',
        isSuperadmin: false,
        isOperator: false,
        identityProviderId: null,
        memberships: [],
        createdAt: anyTime,
        updatedAt: anyTime,
      },
    });
    const { id } = answer.adminUser;
    expect(await eventsOf(sql, id)).toEqual([
      {
        detailType: 'admin.user_invited',
        organizationId: null,
        detail: { adminUserId: id, ...body, organizationId: null },
      },
    ]);
  });

  test('201 by an org_admin: the event names the organization', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    const { status, body } = await post(token, fresh());
    expect(status).toBe(201);
    expect(await eventsOf(sql, body.adminUser.id)).toMatchObject([
      { organizationId: null, detail: { organizationId: tenant.id } },
    ]);
  });

  test('400 for what is no e-mail address or no name', async () => {
    expect(await post(superadmin, { ...fresh(), email: 'kim' })).toMatchObject(invalid('email'));
    expect(await post(superadmin, { email: freshEmail() })).toMatchObject(invalid('displayName'));
  });

  test('429 for the twenty-first invitation of an organization within an hour, also of concurrent ones (D165)', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    const invited = await Promise.all(Array.from({ length: 25 }, () => post(token, fresh())));
    expect(invited.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(5).fill(429),
    ]);
    const refusedOne = await post(token, fresh());
    expect(refusedOne).toMatchObject(refused(429, 'too_many_requests'));
    expect(refusedOne.headers.get('retry-after')).toBe('3600');
    await sql`
      update organization.admin_user set created_at = now() - interval '61 minutes'
      where invited_by_organization_id = ${tenant.id}
    `;
    expect((await post(token, fresh())).status).toBe(201);
  });

  test('409 for an address that was invited, in any case of its letters', async () => {
    const body = fresh();
    await post(superadmin, body);
    expect(await post(superadmin, { ...body, email: body.email.toUpperCase() })).toMatchObject(
      refused(409, 'conflict'),
    );
  });
});

describe('GET /v1/admin-users', () => {
  type List = { adminUsers: Admin[]; nextCursor: string | null };
  const list = (token: string | undefined, query = '') => ask<List>(token, 'GET', `/v1/admin-users${query}`);

  test("200 with the admins of the caller's organizations and their memberships there", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const caller = await newAdmin(own, 'org_admin');
    const colleague = await newAdmin(own, 'support');
    await grant(colleague.id, other.id, 'org_admin');
    await newAdmin(other, 'org_user');
    const invitation = { email: freshEmail(), displayName: 'New' };
    const invited = await ask<{ adminUser: Admin }>(caller.token, 'POST', '/v1/admin-users', invitation);
    const { status, body } = await list(caller.token);
    expect(status).toBe(200);
    expect(body.adminUsers.map(({ id, memberships }) => ({ id, memberships }))).toEqual([
      { id: caller.id, memberships: [{ organizationId: own.id, role: 'org_admin' }] },
      { id: colleague.id, memberships: [{ organizationId: own.id, role: 'support' }] },
      { id: invited.body.adminUser.id, memberships: [] },
    ]);
    const first = await list(caller.token, '?limit=2');
    const next = await list(caller.token, `?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.adminUsers, ...next.body.adminUsers]).toEqual(body.adminUsers);
    expect(next.body.nextCursor).toBeNull();
  });

  test('400 for a foreign cursor, 401 without a token', async () => {
    expect(await list(superadmin, '?cursor=abc')).toMatchObject(invalid('cursor'));
    expect(await list(undefined)).toMatchObject(refused(401, 'unauthorized'));
  });
});

describe('POST /v1/admin-users/:id/memberships', () => {
  test.each(['org_admin', 'org_user', 'support'] as const)('201 for %s by a superadmin', async (role) => {
    const tenant = await newTenant();
    const { id } = await invite();
    const { status, body } = await grantAs(superadmin, id, tenant.id, role);
    expect(status).toBe(201);
    expect(body).toEqual({
      membership: { adminUserId: id, organizationId: tenant.id, role, createdAt: anyTime },
    });
    expect((await eventsOf(sql, id)).at(-1)).toEqual({
      detailType: 'admin.membership_granted',
      organizationId: tenant.id,
      detail: { adminUserId: id, organizationId: tenant.id, role },
    });
    expect((await grantAs(superadmin, id, tenant.id, role)).status).toBe(201);
    expect(await typesOf(id)).toEqual(['admin.user_invited', 'admin.membership_granted']);
  });

  test.each(['org_user', 'support'] as const)('201 for %s by an org_admin', async (role) => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    expect((await grantAs(token, (await newInvited()).id, tenant.id, role)).status).toBe(201);
  });

  test('403 for org_admin by an org_admin, given or changed', async () => {
    const tenant = await newTenant();
    const { id, token } = await newAdmin(tenant, 'org_admin');
    const colleague = await newAdmin(tenant, 'org_admin');
    for (const [target, role] of [
      [(await newInvited()).id, 'org_admin'],
      [colleague.id, 'org_user'],
      [id, 'support'],
    ] as const)
      expect(await grantAs(token, target, tenant.id, role)).toMatchObject(refused(403, 'forbidden'));
  });

  test('404 for a foreign, unknown or archived organization, and for an admin who works elsewhere only', async () => {
    const [own, other, gone] = [await newTenant(), await newTenant(), await newTenant()];
    const { id: callerId } = await newAdmin(own, 'org_admin');
    const token = await tokenOf(callerId, { org_admin: own, org_user: gone });
    const { id } = await newInvited();
    await ask(superadmin, 'POST', `/v1/organizations/${gone.id}/archive`);
    for (const organizationId of [other.id, randomUUID(), gone.id])
      expect(await grantAs(token, id, organizationId, 'support')).toMatchObject(refused(404, 'not_found'));
    const stranger = await newAdmin(other, 'support');
    for (const target of [stranger.id, randomUUID(), 'x'])
      expect(await grantAs(token, target, own.id, 'support')).toMatchObject(refused(404, 'not_found'));
    expect(await grantAs(superadmin, id, randomUUID(), 'support')).toMatchObject(refused(404, 'not_found'));
  });

  test('400 for an unknown role and a malformed organization, 401 without a token, 409 when archived', async () => {
    const tenant = await newTenant();
    const { id } = await newInvited();
    expect(await grantAs(superadmin, id, tenant.id, 'owner')).toMatchObject(invalid('role'));
    expect(await grantAs(superadmin, id, 'x', 'support')).toMatchObject(invalid('organizationId'));
    expect(await ask(undefined, 'POST', `/v1/admin-users/${id}/memberships`, {})).toMatchObject(
      refused(401, 'unauthorized'),
    );
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    expect(await grantAs(superadmin, id, tenant.id, 'support')).toMatchObject(refused(409, 'conflict'));
  });

  test('201 with another role replaces it: a lower one ends the tokens issued before, a higher one does not', async () => {
    const tenant = await newTenant();
    const { id, token } = await newAdmin(tenant, 'org_user');
    await grantAs(superadmin, id, tenant.id, 'org_admin');
    expect([await versionOf(id), (await ask(token, 'GET', '/v1/organizations')).status]).toEqual([0, 200]);
    await grantAs(superadmin, id, tenant.id, 'support');
    expect(await versionOf(id)).toBe(1);
    expect(await ask(token, 'GET', '/v1/organizations')).toMatchObject(refused(401, 'unauthorized'));
    const renewed = await tokenOf(id, { support: tenant }, 1);
    expect((await ask(renewed, 'GET', '/v1/organizations')).status).toBe(200);
    expect((await eventsOf(sql, id)).slice(-2)).toEqual([
      {
        detailType: 'admin.membership_revoked',
        organizationId: tenant.id,
        detail: { adminUserId: id, organizationId: tenant.id, role: 'org_admin', ver: 1 },
      },
      {
        detailType: 'admin.membership_granted',
        organizationId: tenant.id,
        detail: { adminUserId: id, organizationId: tenant.id, role: 'support' },
      },
    ]);
  });
});

describe('DELETE /v1/admin-users/:id/memberships/:orgId', () => {
  test('200 ends the tokens issued before: here at once, in the other services within 5 s', async () => {
    const tenant = await newTenant();
    const { id, token } = await newAdmin(tenant, 'support');
    const { status, body } = await revokeAs(superadmin, id, tenant.id);
    expect([status, body]).toEqual([
      200,
      { membership: { adminUserId: id, organizationId: tenant.id, role: 'support', createdAt: anyTime } },
    ]);
    expect(await ask(token, 'GET', '/v1/organizations')).toMatchObject(refused(401, 'unauthorized'));
    expect((await eventsOf(sql, id)).at(-1)).toMatchObject({
      detailType: 'admin.membership_revoked',
      detail: { adminUserId: id, organizationId: tenant.id, role: 'support', ver: 1 },
    });
    await eventually(async () => {
      const rows = await sql`
        select ver from notification.admin_session where admin_id = ${id}
        union all select ver from intake.admin_session where admin_id = ${id}
        union all select ver from patients.admin_session where admin_id = ${id}
        union all select ver from bridge.admin_session where admin_id = ${id}
      `;
      return rows.length === 4;
    });
  });

  test('200 for org_user and support by an org_admin, 403 for another org_admin', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    for (const [role, expected] of [
      ['org_user', 200],
      ['support', 200],
      ['org_admin', 403],
    ] as const)
      expect((await revokeAs(token, (await newAdmin(tenant, role)).id, tenant.id)).status).toBe(expected);
  });

  test('404 and 409', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const { id } = await newAdmin(tenant, 'support');
    for (const [adminId, organizationId] of [
      [id, other.id],
      [randomUUID(), tenant.id],
      ['x', tenant.id],
      [id, 'x'],
    ] as const)
      expect(await revokeAs(superadmin, adminId, organizationId)).toMatchObject(refused(404, 'not_found'));
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    expect(await revokeAs(superadmin, id, tenant.id)).toMatchObject(refused(409, 'conflict'));
  });

  test('200 once of ten at once, and the counter is raised once', async () => {
    const tenant = await newTenant();
    const { id } = await newAdmin(tenant, 'support');
    const answers = await atOnce(10, () => revokeAs(superadmin, id, tenant.id));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(404)]);
    expect(await versionOf(id)).toBe(1);
  });
});

describe('an archived organization', () => {
  test('shows its members no colleagues and lets nobody invite in its name; superadmins see them all', async () => {
    const [own, gone] = [await newTenant(), await newTenant()];
    const { id, token } = await newAdmin(gone, 'org_admin');
    const colleague = await newAdmin(gone, 'support');
    const post = (bearer: string) =>
      ask<{ adminUser: Admin }>(bearer, 'POST', '/v1/admin-users', {
        email: freshEmail(),
        displayName: 'Kim',
      });
    const invited = (await post(token)).body.adminUser;
    const seenBy = async (bearer: string) => {
      const { body } = await ask<{ adminUsers: Admin[] }>(bearer, 'GET', '/v1/admin-users?limit=200');
      return body.adminUsers.map((admin) => admin.id);
    };
    expect(await seenBy(token)).toEqual([id, colleague.id, invited.id]);
    await ask(superadmin, 'POST', `/v1/organizations/${gone.id}/archive`);
    expect(await seenBy(token)).toEqual([]);
    expect(await post(token)).toMatchObject(refused(403, 'forbidden'));

    await grant(id, own.id, 'org_admin');
    const both = await tokenOf(id, { org_user: gone, org_admin: own });
    expect(await seenBy(both)).toEqual([id]);
    expect((await post(both)).status).toBe(201);
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int from organization.admin_user where invited_by_organization_id = ${own.id}
    `;
    expect(row).toEqual({ count: 1 });
  });
});

test('organization ids in upper case mean the same, and events carry them in lower case', async () => {
  const tenant = await newTenant();
  const { token } = await newAdmin(tenant, 'org_admin');
  const { id } = await invite();
  const upper = tenant.id.toUpperCase();
  expect(await grantAs(token, id, upper, 'support')).toMatchObject({
    status: 201,
    body: { membership: { organizationId: tenant.id } },
  });
  expect((await revokeAs(token, id.toUpperCase(), upper)).status).toBe(200);
  const told = await eventsOf(sql, id);
  expect(told.map(({ organizationId, detail }) => [organizationId, detail['organizationId']])).toEqual([
    [null, null],
    [tenant.id, tenant.id],
    [tenant.id, tenant.id],
  ]);
  const physician = await ask(token, 'POST', `/v1/physicians/${randomUUID()}/memberships`, {
    organizationId: upper,
  });
  expect(physician).toMatchObject({ status: 201, body: { membership: { organizationId: tenant.id } } });
});

describe('POST /v1/admin-users/:id/suspend and reactivate', () => {
  const change = (token: string | undefined, id: string, name: 'suspend' | 'reactivate') =>
    ask<{ adminUser: Admin }>(token, 'POST', `/v1/admin-users/${id}/${name}`);

  test('200: a suspended admin is refused at once, and let in again with a new token only', async () => {
    const tenant = await newTenant();
    const { id, token } = await newAdmin(tenant, 'org_admin');
    expect((await ask(token, 'GET', '/v1/organizations')).status).toBe(200);
    const suspended = await change(superadmin, id, 'suspend');
    expect([suspended.status, suspended.body.adminUser.state]).toEqual([200, 'suspended']);
    expect((await eventsOf(sql, id)).at(-1)).toEqual({
      detailType: 'admin.user_suspended',
      organizationId: null,
      detail: { adminUserId: id, ver: 1 },
    });
    const forged = await tokenOf(id, { org_admin: tenant }, 99);
    for (const old of [token, forged])
      expect(await ask(old, 'GET', '/v1/organizations')).toMatchObject(refused(401, 'unauthorized'));

    const reactivated = await change(superadmin, id, 'reactivate');
    expect([reactivated.status, reactivated.body.adminUser.state]).toEqual([200, 'invited']);
    expect(await versionOf(id)).toBe(2);
    expect(await ask(token, 'GET', '/v1/organizations')).toMatchObject(refused(401, 'unauthorized'));
    const renewed = await tokenOf(id, { org_admin: tenant }, 2);
    expect((await ask(renewed, 'GET', '/v1/organizations')).status).toBe(200);
  });

  test('200: other services refuse the tokens of a suspended admin, long before their time is over', async () => {
    const { id, token } = await newAdmin(await newTenant(), 'support');
    const listed = async () => (await callAs(dev, 'bridge', token, { path: '/emr-sync-attempts' })).status;
    expect(await listed()).toBe(200);
    await change(superadmin, id, 'suspend');
    await eventually(async () => (await listed()) === 401);
  });

  test('409 for one who is suspended, who is not, and for oneself', async () => {
    const { id } = await newInvited();
    expect(await change(superadmin, id, 'reactivate')).toMatchObject(refused(409, 'conflict'));
    await change(superadmin, id, 'suspend');
    expect(await change(superadmin, id, 'suspend')).toMatchObject(refused(409, 'conflict'));
    const list = await ask<{ adminUsers: Admin[] }>(superadmin, 'GET', '/v1/admin-users?limit=1');
    const own = list.body.adminUsers.find(({ isSuperadmin }) => isSuperadmin)!;
    expect(await change(superadmin, own.id, 'suspend')).toMatchObject(refused(409, 'conflict'));
  });

  test('404 for nobody', async () => {
    for (const name of ['suspend', 'reactivate'] as const)
      for (const nobody of [randomUUID(), 'x'])
        expect(await change(superadmin, nobody, name)).toMatchObject(refused(404, 'not_found'));
  });

  test('401 for a token of nobody, and for one whose subject is no id', async () => {
    for (const sub of [randomUUID(), 'root@scriptrail.test'])
      expect(await ask(await forgedToken(sub), 'GET', '/v1/organizations')).toMatchObject(
        refused(401, 'unauthorized'),
      );
  });
});

describe('PATCH /v1/admin-users/:id', () => {
  const patch = (token: string | undefined, id: string, body: unknown) =>
    ask<{ adminUser: Admin & { isOperator: boolean } }>(token, 'PATCH', `/v1/admin-users/${id}`, body);

  test('200: makes an operator; taking it away ends all tokens, here at once and at the worklist with the event', async () => {
    const { id } = await newInvited();
    const { status, body } = await patch(superadmin, id, { isOperator: true });
    expect([status, body.adminUser]).toMatchObject([200, { id, isOperator: true, isSuperadmin: false }]);
    expect(await eventsOf(sql, id)).toEqual([]);
    const token = await adminToken(dev, { sub: id, isSuperadmin: false, isOperator: true });
    const counts = () =>
      callAs(dev, 'worklist', token, { path: '/v1/stuck-runs' }).then(({ status }) => status);
    expect(await counts()).toBe(200);

    for (let n = 0; n < 2; n += 1)
      expect((await patch(superadmin, id, { isOperator: false })).body.adminUser).toMatchObject({
        isOperator: false,
      });
    expect((await ask(token, 'GET', '/v1/organizations')).status).toBe(401);
    await eventually(async () => (await counts()) === 401);
    expect(await eventsOf(sql, id)).toMatchObject([
      { detailType: 'admin.operator_revoked', detail: { adminUserId: id, ver: 1 } },
    ]);
  });

  test('403 for an org_admin, 404 for nobody, 400 without the word', async () => {
    const { id, token } = await newAdmin(await newTenant(), 'org_admin');
    expect(await patch(token, id, { isOperator: true })).toMatchObject(refused(403, 'forbidden'));
    expect(await patch(superadmin, randomUUID(), { isOperator: true })).toMatchObject(
      refused(404, 'not_found'),
    );
    expect(await patch(superadmin, id, {})).toMatchObject(invalid('isOperator'));
  });
});

describe('POST /v1/physicians/:id/memberships and DELETE …/:orgId', () => {
  const path = (physicianId: string, organizationId?: string) =>
    `/v1/physicians/${physicianId}/memberships${organizationId === undefined ? '' : `/${organizationId}`}`;
  const join = (token: string | undefined, physicianId: string, organizationId: unknown) =>
    ask(token, 'POST', path(physicianId), { organizationId });
  const leave = (token: string | undefined, physicianId: string, organizationId: string) =>
    ask(token, 'DELETE', path(physicianId, organizationId));

  test.each(['a superadmin', 'an org_admin'])('201 and 200 by %s, with their events', async (who) => {
    const tenant = await createTenant();
    const token = who === 'a superadmin' ? superadmin : (await newAdmin(tenant, 'org_admin')).token;
    const physicianId = randomUUID();
    const membership = { physicianId, organizationId: tenant.id, createdAt: anyTime };
    const joined = await join(token, physicianId, tenant.id);
    expect([joined.status, joined.body]).toEqual([201, { membership }]);
    expect((await join(token, physicianId, tenant.id)).body).toEqual(joined.body);
    const left = await leave(token, physicianId, tenant.id);
    expect([left.status, left.body]).toEqual([200, joined.body]);
    const detail = { organizationId: tenant.id, physicianId };
    expect((await eventsOf(sql, tenant.id)).slice(1)).toEqual([
      { detailType: 'physician.membership_granted', organizationId: tenant.id, detail },
      { detailType: 'physician.membership_revoked', organizationId: tenant.id, detail },
    ]);
  });

  test('400 for a malformed organization, 401, 403, 404 and 409', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    const id = randomUUID();
    expect(await join(superadmin, id, 'x')).toMatchObject(invalid('organizationId'));
    expect(await join(undefined, id, tenant.id)).toMatchObject(refused(401, 'unauthorized'));
    expect(await leave(undefined, id, tenant.id)).toMatchObject(refused(401, 'unauthorized'));
    for (const role of ['org_user', 'support'] as Role[]) {
      const { token } = await newAdmin(tenant, role);
      expect(await join(token, id, tenant.id)).toMatchObject(refused(403, 'forbidden'));
      expect(await leave(token, id, tenant.id)).toMatchObject(refused(403, 'forbidden'));
    }
    const { token } = await newAdmin(other, 'org_admin');
    const unknown: [string, string, Tenant | { id: string }][] = [
      [token, id, tenant],
      [superadmin, id, { id: randomUUID() }],
      [superadmin, 'x', tenant],
    ];
    for (const [caller, physicianId, organization] of unknown) {
      expect(await join(caller, physicianId, organization.id)).toMatchObject(refused(404, 'not_found'));
      expect(await leave(caller, physicianId, organization.id)).toMatchObject(refused(404, 'not_found'));
    }
    expect(await leave(superadmin, id, tenant.id)).toMatchObject(refused(404, 'not_found'));
    await join(superadmin, id, tenant.id);
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    expect(await join(superadmin, id, tenant.id)).toMatchObject(refused(409, 'conflict'));
    expect(await leave(superadmin, id, tenant.id)).toMatchObject(refused(409, 'conflict'));
  });
});

describe('GET /v1/audit-events', () => {
  interface AuditEvent {
    action: string;
    target: string;
    organizationId: string | null;
    actor: string;
    at: string;
  }
  type List = { auditEvents: AuditEvent[]; nextCursor: string | null };
  const list = (query: string, token: string | undefined = superadmin) =>
    ask<List>(token, 'GET', `/v1/audit-events${query}`);

  test('200 says who did what to whom, when and from where, newest first', async () => {
    const tenant = await createTenant();
    const { id, email, token } = await newAdmin(tenant, 'org_admin');
    await ask(token, 'PUT', `/v1/organizations/${tenant.id}/portal-config`, {});
    const { status, body } = await list(`?organizationId=${tenant.id}`);
    expect(status).toBe(200);
    expect(body.auditEvents[0]).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      actor: email,
      action: 'organization.portal_config_updated',
      target: `organization:${tenant.id}`,
      organizationId: tenant.id,
      ip: '127.0.0.1',
      userAgent: 'node',
    });
    expect(body.auditEvents.map(({ action, target, actor }) => [action, target, actor])).toEqual([
      ['organization.portal_config_updated', `organization:${tenant.id}`, email],
      ['admin.membership_granted', `admin_user:${id}`, 'root@scriptrail.test'],
      ['organization.created', `organization:${tenant.id}`, 'root@scriptrail.test'],
    ]);
    expect((await list(`?actor=${email.toUpperCase()}`)).body.auditEvents).toHaveLength(1);
    const { at } = body.auditEvents[0]!;
    const until = await list(`?organizationId=${tenant.id}&to=${at}`);
    expect(until.body.auditEvents[0]).toMatchObject({ at });
    const since = await list(
      `?organizationId=${tenant.id}&from=${new Date(Date.parse(at) + 1).toISOString()}`,
    );
    expect([until.body.auditEvents.length >= 2, since.body.auditEvents]).toEqual([true, []]);
    const first = await list(`?organizationId=${tenant.id}&limit=2`);
    const next = await list(`?organizationId=${tenant.id}&limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.auditEvents, ...next.body.auditEvents]).toEqual(body.auditEvents);
  });

  test('200 holds nothing of what was refused', async () => {
    const tenant = await createTenant();
    const { id, token } = await newAdmin(tenant, 'support');
    await ask(token, 'PATCH', `/v1/organizations/${tenant.id}`, { displayName: 'Mine' });
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/reactivate`);
    const { body } = await list(`?organizationId=${tenant.id}`);
    expect(body.auditEvents.map(({ target }) => target)).toEqual([
      `admin_user:${id}`,
      `organization:${tenant.id}`,
    ]);
  });

  test('400 for filters of invalid form, 401 without a token, 403 for other admins', async () => {
    for (const [query, path] of [
      ['?organizationId=x', 'organizationId'],
      ['?actor=x', 'actor'],
      ['?from=yesterday', 'from'],
      ['?from=0000-01-01T00:00:00Z', 'from'],
      ['?to=9999-12-31T23:59:59-01:00', 'to'],
      ['?cursor=abc', 'cursor'],
    ] as const)
      expect(await list(query)).toMatchObject(invalid(path));
    expect(await ask(undefined, 'GET', '/v1/audit-events')).toMatchObject(refused(401, 'unauthorized'));
    const { token } = await newAdmin(await newTenant(), 'org_admin');
    expect(await list('', token)).toMatchObject(refused(403, 'forbidden'));
  });
});

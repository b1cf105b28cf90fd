import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, call, eventually } from '../../helpers/client.js';
import {
  ask,
  createTenant,
  invalid,
  refused,
  dev,
  eventsOf,
  freshSlug,
  newAdmin,
  newTenant,
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

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
type One = { organization: Tenant };
const create = (body: unknown, token = superadmin) => ask<One>(token, 'POST', '/v1/organizations', body);
const fresh = () => ({ slug: freshSlug(), displayName: 'Clinic', kind: 'b2b' });
const emrOrganizations = async (organizationId: string) => {
  const response = await fetch(`${dev.emr.baseUrl}/Organization?identifier=${organizationId}`, {
    headers: { authorization: `Bearer ${dev.emr.token}` },
  });
  const { entry = [] } = (await response.json()) as { entry?: { resource: { id: string; name: string } }[] };
  return entry.map(({ resource: { id, name } }) => ({ id, name }));
};

describe('POST /v1/organizations', () => {
  test('201 makes the organization here and, under its id, in the EMR, and tells of it once', async () => {
    const body = fresh();
    const { status, body: answer } = await create(body);
    expect(status).toBe(201);
    const { organization } = answer;
    expect(answer).toEqual({
      organization: {
        id: expect.any(String),
        ...body,
        emrOrganizationId: expect.any(String),
        status: 'active',
        createdAt: timestamp,
        updatedAt: timestamp,
      },
    });
    const { id, emrOrganizationId } = organization;
    expect(await emrOrganizations(id)).toEqual([{ id: emrOrganizationId, name: 'Clinic' }]);
    expect(await eventsOf(sql, id)).toEqual([
      {
        detailType: 'organization.created',
        organizationId: id,
        detail: { organizationId: id, ...body, emrOrganizationId, status: 'active' },
      },
    ]);
    expect(await sql`select from organization.creation where organization_id = ${id}`).toHaveLength(0);
  });

  test('201 once and 409 for the others of twenty at once for one slug', async () => {
    const body = fresh();
    const answers = await atOnce(20, () => create(body));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const { id } = answers.find(({ status }) => status === 201)!.body.organization;
    expect(await emrOrganizations(id)).toHaveLength(1);
  });

  test('409 conflict for a slug in use', async () => {
    const { slug } = await newTenant();
    expect(await create({ ...fresh(), slug })).toMatchObject(refused(409, 'conflict'));
  });

  test.each([
    ['slug', { slug: 'A b' }],
    ['slug', { slug: 'x' }],
    ['slug', { slug: 7 }],
    ['displayName', { displayName: '' }],
    ['displayName', { displayName: '  ' }],
    ['displayName', { displayName: 'line\nbreak' }],
    ['kind', { kind: 'b2c' }],
  ])('400 validation_failed names %s (case %#)', async (path, spoilt) => {
    expect(await create({ ...fresh(), ...spoilt })).toMatchObject(invalid(path));
  });

  test('400, 413 and 415 for a body that is no JSON, too large, or of another type', async () => {
    expect(await create('{"slug"')).toMatchObject({ status: 400, body: { error: 'validation_failed' } });
    expect((await create({ ...fresh(), more: 'x'.repeat(1_100_000) })).status).toBe(413);
    const response = await fetch(`${dev.services.organization}/v1/organizations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${superadmin}`, 'content-type': 'text/plain' },
      body: 'slug',
    });
    expect(response.status).toBe(415);
  });
});

describe('GET /v1/organizations', () => {
  type List = { organizations: Tenant[]; nextCursor: string | null };

  test('200 with the own organizations only, all of them for a superadmin, page by page', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const { id, token } = await newAdmin(one, 'support');
    const own = await ask<List>(token, 'GET', '/v1/organizations');
    expect(own).toMatchObject({ status: 200, body: { organizations: [one], nextCursor: null } });

    const both = await tokenOf(id, { support: one, org_user: two });
    const first = await ask<List>(both, 'GET', '/v1/organizations?limit=1');
    expect(first.body.organizations).toEqual([one]);
    const next = await ask<List>(both, 'GET', `/v1/organizations?limit=1&cursor=${first.body.nextCursor}`);
    expect(next.body).toEqual({ organizations: [two], nextCursor: null });

    const all = await ask<List>(superadmin, 'GET', '/v1/organizations?limit=200');
    const ids = all.body.organizations.map((organization) => organization.id);
    expect(ids).toEqual(expect.arrayContaining([one.id, two.id]));
  });

  test('200 without archived ones, unless for a superadmin', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    expect((await ask<List>(token, 'GET', '/v1/organizations')).body.organizations).toEqual([]);
  });

  test.each(['limit=0', 'limit=201', 'limit=a', 'cursor=!', 'cursor=abc'])('400 for ?%s', async (query) => {
    expect(await ask(superadmin, 'GET', `/v1/organizations?${query}`)).toMatchObject({
      status: 400,
      body: { error: 'validation_failed' },
    });
  });
});

describe('GET /v1/organizations/:id', () => {
  test.each(['org_admin', 'org_user', 'support'] as const)('200 for an %s of it', async (role) => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, role);
    expect(await ask(token, 'GET', `/v1/organizations/${tenant.id}`)).toMatchObject({
      status: 200,
      body: { organization: tenant },
    });
  });

  test("404 for another's as for an unknown one and a malformed id", async () => {
    const [own, other] = [await newTenant(), await newTenant()];
    const { token } = await newAdmin(own, 'org_admin');
    const answers = await Promise.all(
      [other.id, randomUUID(), 'nothing'].map((id) => ask(token, 'GET', `/v1/organizations/${id}`)),
    );
    for (const { status, body } of answers)
      expect({ status, body }).toEqual({ status: 404, body: { error: 'not_found', message: 'Not found' } });
    for (const id of [randomUUID(), 'nothing'])
      expect(await ask(superadmin, 'GET', `/v1/organizations/${id}`)).toMatchObject(
        refused(404, 'not_found'),
      );
  });

  test('404 for an archived one, unless for a superadmin: 200', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    const path = `/v1/organizations/${tenant.id}`;
    expect(await ask(token, 'GET', path)).toMatchObject(refused(404, 'not_found'));
    expect(await ask(superadmin, 'GET', path)).toMatchObject({
      status: 200,
      body: { organization: { status: 'archived' } },
    });
  });
});

describe('PATCH /v1/organizations/:id', () => {
  test('200 for its org_admin, and organization.updated; the kind stays', async () => {
    const tenant = await createTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    const changes = { slug: freshSlug(), displayName: 'Renamed' };
    const path = `/v1/organizations/${tenant.id}`;
    const answer = await ask<One>(token, 'PATCH', path, { ...changes, kind: 'b2b' });
    expect(answer).toMatchObject({
      status: 200,
      body: { organization: { ...tenant, ...changes, updatedAt: timestamp } },
    });
    expect(await eventsOf(sql, tenant.id)).toMatchObject([
      { detailType: 'organization.created' },
      { detailType: 'organization.updated', detail: { ...changes, kind: 'dtc', status: 'active' } },
    ]);
    expect((await ask(token, 'PATCH', path, changes)).status).toBe(200);
    expect((await ask(token, 'PATCH', path, {})).status).toBe(200);
    expect(await eventsOf(sql, tenant.id)).toHaveLength(2);
  });

  test('400 for a slug of invalid form', async () => {
    const { id } = await newTenant();
    expect(await ask(superadmin, 'PATCH', `/v1/organizations/${id}`, { slug: '!' })).toMatchObject(
      invalid('slug'),
    );
  });

  test('409 for a slug in use, and for an archived organization', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const patch = (body: unknown) => ask(superadmin, 'PATCH', `/v1/organizations/${one.id}`, body);
    expect(await patch({ slug: two.slug })).toMatchObject(refused(409, 'conflict'));
    await ask(superadmin, 'POST', `/v1/organizations/${one.id}/archive`);
    expect(await patch({ displayName: 'Late' })).toMatchObject(refused(409, 'conflict'));
  });
});

describe('POST /v1/organizations/:id/suspend, archive and reactivate', () => {
  const change = (id: string, name: string, token = superadmin) =>
    ask<One>(token, 'POST', `/v1/organizations/${id}/${name}`);

  test('200 each, with their events', async () => {
    const { id } = await createTenant();
    const answers = [
      await change(id, 'suspend'),
      await change(id, 'reactivate'),
      await change(id, 'archive'),
    ];
    expect(answers.map(({ status, body }) => [status, body.organization.status])).toEqual([
      [200, 'suspended'],
      [200, 'active'],
      [200, 'archived'],
    ]);
    expect((await eventsOf(sql, id)).map(({ detailType, detail }) => [detailType, detail['status']])).toEqual(
      [
        ['organization.created', 'active'],
        ['organization.suspended', 'suspended'],
        ['organization.updated', 'active'],
        ['organization.archived', 'archived'],
      ],
    );
  });

  test('200 archives a suspended one', async () => {
    const { id } = await newTenant();
    await change(id, 'suspend');
    expect((await change(id, 'archive')).status).toBe(200);
  });

  test('409 for what makes no sense, and for everything once archived', async () => {
    const { id } = await newTenant();
    expect(await change(id, 'reactivate')).toMatchObject(refused(409, 'conflict'));
    await change(id, 'suspend');
    expect(await change(id, 'suspend')).toMatchObject(refused(409, 'conflict'));
    await change(id, 'archive');
    for (const name of ['suspend', 'archive', 'reactivate'])
      expect(await change(id, name)).toMatchObject(refused(409, 'conflict'));
  });

  test('200 once and 409 else of ten suspensions at once', async () => {
    const { id } = await createTenant();
    const answers = await atOnce(10, () => change(id, 'suspend'));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect(await eventsOf(sql, id)).toHaveLength(2);
  });

  test('404 for unknown and malformed ids', async () => {
    for (const name of ['suspend', 'archive', 'reactivate'])
      for (const id of [randomUUID(), 'x'])
        expect(await change(id, name)).toMatchObject(refused(404, 'not_found'));
  });
});

describe('PUT /v1/organizations/:id/branding, portal-config and notification-config', () => {
  const defaults = {
    branding: {
      primaryColor: null,
      logoUrl: null,
      faviconUrl: null,
      emailHeaderImageUrl: null,
      displayNames: { patientPortal: null, adminPortal: null, email: null },
    },
    'portal-config': {
      messagingEnabled: false,
      selfSchedulingEnabled: false,
      refillSelfServiceEnabled: false,
      termsUrl: null,
    },
    'notification-config': {
      fromAddress: null,
      fromName: null,
      smsSenderNumber: null,
      emailConfigurationSet: null,
      defaultTemplateSet: null,
    },
  };
  const full = {
    branding: {
      primaryColor: '#1A7f5a',
      logoUrl: 'https://cdn.example.test/logo.svg',
      faviconUrl: 'https://cdn.example.test/favicon.ico',
      emailHeaderImageUrl: 'https://cdn.example.test/header.png',
      displayNames: { patientPortal: 'My Clinic', adminPortal: 'Clinic Desk', email: 'Your Clinic' },
    },
    'portal-config': {
      messagingEnabled: true,
      selfSchedulingEnabled: true,
      refillSelfServiceEnabled: true,
      termsUrl: 'https://example.test/terms',
    },
    'notification-config': {
      fromAddress: 'care@example.test',
      fromName: 'Care',
      smsSenderNumber: '+15005550006',
      emailConfigurationSet: 'main',
      defaultTemplateSet: 'standard',
    },
  };
  const envelopes = {
    branding: 'branding',
    'portal-config': 'portalConfig',
    'notification-config': 'notificationConfig',
  };
  const parts = Object.keys(envelopes) as (keyof typeof envelopes)[];
  const put = (id: string, part: string, body: unknown, token = superadmin) =>
    ask(token, 'PUT', `/v1/organizations/${id}/${part}`, body);

  test.each(parts)('200 for %s: what is left out becomes its default again', async (part) => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    expect(await put(tenant.id, part, full[part], token)).toMatchObject({
      status: 200,
      body: { [envelopes[part]]: full[part] },
    });
    const [table] = await sql`
      select * from ${sql(`organization.${part.replace('-', '_')}`)} where organization_id = ${tenant.id}
    `;
    expect(Object.values(table!)).not.toContain(null);
    const emptied = await put(tenant.id, part, {}, token);
    expect(emptied.body).toEqual({ [envelopes[part]]: defaults[part] });
    const events = (await eventsOf(sql, tenant.id)).map(({ detailType }) => detailType);
    expect(events.filter((type) => type !== 'organization.created')).toEqual(
      part === 'branding' ? ['organization.branding_updated', 'organization.branding_updated'] : [],
    );
  });

  test.each([
    ['branding', { primaryColor: 'red; }' }, 'primaryColor'],
    ['branding', { logoUrl: 'javascript:alert(1)' }, 'logoUrl'],
    ['branding', { displayNames: { email: 7 } }, 'displayNames.email'],
    ['portal-config', { messagingEnabled: 'true' }, 'messagingEnabled'],
    ['portal-config', { termsUrl: 'terms' }, 'termsUrl'],
    ['notification-config', { fromAddress: 'nobody' }, 'fromAddress'],
    ['notification-config', { fromName: 'a\r\nBcc: x' }, 'fromName'],
    ['notification-config', { smsSenderNumber: 'me' }, 'smsSenderNumber'],
  ])('400 for %s with %j', async (part, body, path) => {
    const { id } = await newTenant();
    expect(await put(id, part, body)).toMatchObject(invalid(path));
  });

  test.each(parts)('404 and 409 for %s', async (part) => {
    const tenant = await newTenant();
    for (const id of [randomUUID(), 'x'])
      expect(await put(id, part, {})).toMatchObject(refused(404, 'not_found'));
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    expect(await put(tenant.id, part, {})).toMatchObject(refused(409, 'conflict'));
  });
});

describe('the service', () => {
  test.each(['/health', '/v1/health', '/ready', '/openapi.json'])(
    '200 for GET %s without a token',
    async (path) => {
      expect((await ask(undefined, 'GET', path)).status).toBe(200);
    },
  );

  test('401 without a token, with a foreign one, and for a signed request', async () => {
    for (const token of [undefined, 'x.y.z'])
      expect(await ask(token, 'GET', '/v1/organizations')).toMatchObject(refused(401, 'unauthorized'));
    const signed = await call(dev, 'organization', { key: 'admin', path: '/v1/organizations' });
    expect(signed.status).toBe(401);
  });

  test('200 for POST /v1/admin/workers/outbox/redrive with state dead: what was given up is shipped; 400 without a window', async () => {
    const path = '/v1/admin/workers/outbox/redrive';
    const [row] = await sql<[{ id: string }]>`
      insert into organization.outbox (source, detail_type, aggregate_id, detail, dead_at, attempts)
      values ('organization', 'organization.tested', ${randomUUID()}, '{}', '2020-01-02T00:00:00Z', 20)
      returning id
    `;
    const window = { from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z', state: 'dead' };
    const { status, body } = await ask(superadmin, 'POST', path, window);
    expect([status, body]).toEqual([200, { processed: 1 }]);
    await eventually(async () => {
      const [shipped] =
        await sql`select from organization.outbox where id = ${row.id} and shipped_at is not null`;
      return shipped !== undefined;
    });
    expect(await ask(superadmin, 'POST', path, {})).toMatchObject(invalid('from', 'to'));
    const { token } = await newAdmin(await newTenant(), 'org_admin');
    expect(await ask(token, 'POST', path, window)).toMatchObject(refused(403, 'forbidden'));
  });

  test('200 for POST /v1/admin/workers/outbox/tick, 403 for other admins', async () => {
    const path = '/v1/admin/workers/outbox/tick';
    expect(await ask(superadmin, 'POST', path)).toMatchObject({
      status: 200,
      body: { processed: expect.any(Number) },
    });
    const { token } = await newAdmin(await newTenant(), 'org_admin');
    expect(await ask(token, 'POST', path)).toMatchObject(refused(403, 'forbidden'));
  });
});

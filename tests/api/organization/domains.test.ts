import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { developmentSuperadmin } from '../../../dev/seed/admins.js';
import { createSql, type Sql } from '../../../db/client.js';
import { activateDomain } from '../../../db/organization/custom-domains.js';
import { atOnce, eventually, sandbox } from '../../helpers/client.js';
import { ask, dev, eventsOf, invalid, newAdmin, newTenant, refused, root, type Tenant } from './tenants.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

interface Domain {
  hostname: string;
  state: string;
  dnsRecord: { type: string; name: string; value: string };
  observed: { type: string; name: string; values: string[] } | null;
  lastCheckedAt: string | null;
  nextCheckAt: string | null;
  reason: string | null;
}
interface One {
  customDomain: Domain;
}

let sql: Sql;
let temporal: TemporalView;
let superadmin: string;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  temporal = await openTemporal(dev);
  superadmin = await root();
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

const freshHost = () => `care-${randomUUID()}.example.test`;
const base = ({ id }: { id: string }) => `/v1/organizations/${id}/custom-domains`;
const register = (tenant: Tenant, hostname: string, token: string | undefined = superadmin) =>
  ask<One & { dnsRecord: Domain['dnsRecord'] }>(token, 'POST', base(tenant), { hostname });
const act = (tenant: { id: string }, hostname: string, what: 'verify' | 'activate', token = superadmin) =>
  ask<One>(token, 'POST', `${base(tenant)}/${hostname}/${what}`);
const drop = (tenant: { id: string }, hostname: string, token = superadmin) =>
  ask<One>(token, 'DELETE', `${base(tenant)}/${hostname}`);
const list = async (tenant: Tenant, token = superadmin) =>
  (await ask<{ customDomains: Domain[] }>(token, 'GET', base(tenant))).body.customDomains;
const setDns = (name: string, values: string[]) =>
  sandbox(dev, '/dns', { method: 'POST', body: { name, type: 'TXT', values } });
const setTls = (hostname: string, state: 'valid' | 'expired' | 'none') =>
  sandbox(dev, '/tls', { method: 'POST', body: { hostname, state } });
const resolve = (hostname: string) =>
  ask<{ organization: Tenant }>(undefined, 'GET', `/v1/public/resolve?hostname=${hostname}`);
const currentDetails = async (hostname: string) =>
  (
    await temporal.client.workflow
      .getHandle(`domain:${hostname}`)
      .query<{ currentDetails: string }>('__temporal_workflow_metadata')
  ).currentDetails;

/** A hostname whose ownership is proven. */
async function ownedHost(tenant: Tenant): Promise<string> {
  const hostname = freshHost();
  const { body } = await register(tenant, hostname);
  await setDns(body.dnsRecord.name, [body.dnsRecord.value]);
  const { body: verified } = await act(tenant, hostname, 'verify');
  if (verified.customDomain.state !== 'pending_tls') throw new Error(JSON.stringify(verified));
  return hostname;
}
async function activeHost(tenant: Tenant): Promise<string> {
  const hostname = await ownedHost(tenant);
  await setTls(hostname, 'valid');
  const { status } = await act(tenant, hostname, 'activate');
  if (status !== 200) throw new Error(`not active: ${status}`);
  return hostname;
}

describe('POST /v1/organizations/:id/custom-domains', () => {
  test('201 with the record that proves ownership, and a first look planned within about a minute', async () => {
    const tenant = await newTenant();
    const { token } = await newAdmin(tenant, 'org_admin');
    const hostname = freshHost();
    const { status, body } = await register(tenant, hostname.toUpperCase(), token);
    expect(status).toBe(201);
    const dnsRecord = { type: 'TXT', name: `_verify.${hostname}`, value: expect.stringMatching(/.{32,}/) };
    expect(body).toEqual({
      customDomain: {
        hostname,
        state: 'pending_dns',
        dnsRecord,
        observed: null,
        lastCheckedAt: null,
        nextCheckAt: expect.any(String),
        reason: null,
      },
      dnsRecord,
    });
    const inMs = Date.parse(body.customDomain.nextCheckAt ?? '') - Date.now();
    expect(inMs).toBeGreaterThan(30_000);
    expect(inMs).toBeLessThanOrEqual(60_000);
    expect(await list(tenant, token)).toEqual([body.customDomain]);
    expect((await eventsOf(sql, tenant.id)).at(-1)).toEqual({
      detailType: 'organization.custom_domain_registered',
      organizationId: tenant.id,
      detail: { organizationId: tenant.id, hostname, state: 'pending_dns' },
    });
    // The event has reached the verifier, which shows what it waits for.
    const { value } = body.dnsRecord;
    await eventually(async () => (await currentDetails(hostname).catch(() => '')).includes(value));
  });

  test.each(['localhost', '10.0.0.1', 'a_b.test', 'https://care.test', '', 7])(
    '400 for %j',
    async (hostname) => {
      expect(await ask(superadmin, 'POST', base(await newTenant()), { hostname })).toMatchObject(
        invalid('hostname'),
      );
    },
  );

  test('409 for a hostname that is pending or active in any organization, 201 once it is deactivated', async () => {
    const [one, two] = [await newTenant(), await newTenant()];
    const hostname = await activeHost(one);
    for (const tenant of [one, two])
      expect(await register(tenant, hostname)).toMatchObject(refused(409, 'conflict'));
    await drop(one, hostname);
    expect((await register(two, hostname)).status).toBe(201);
    expect(await register(one, hostname)).toMatchObject(refused(409, 'conflict'));
  });

  test('201 once of ten at once', async () => {
    const tenant = await newTenant();
    const hostname = freshHost();
    const answers = await atOnce(10, () => register(tenant, hostname));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
  });
});

describe('POST …/custom-domains/:domain/verify', () => {
  test('200 without the record: the state stays, and the reason is told here and in the run', async () => {
    const tenant = await newTenant();
    const hostname = freshHost();
    const { body: registered } = await register(tenant, hostname);
    const { name, value } = registered.dnsRecord;
    const missing = await act(tenant, hostname, 'verify');
    expect(missing).toMatchObject({
      status: 200,
      body: {
        customDomain: {
          state: 'pending_dns',
          observed: { type: 'TXT', name, values: [] },
          lastCheckedAt: expect.any(String),
          reason: `No TXT record at ${name}`,
        },
      },
    });
    await setDns(name, ['another\0 value']);
    const wrong = await act(tenant, hostname.toUpperCase(), 'verify');
    expect(wrong.body.customDomain).toMatchObject({
      state: 'pending_dns',
      observed: { values: ['another value'] },
      reason: `The TXT record at ${name} has another value`,
      nextCheckAt: registered.customDomain.nextCheckAt,
    });
    const details = await eventually(async () => {
      const text = await currentDetails(hostname);
      return text.includes('another value') && text;
    });
    expect(details).toContain(`TXT ${name} = \`${value}\``);
    expect(details).toContain('Observed: `another value`');
  });

  test('200 with the record: pending_tls; again, and once active: unchanged', async () => {
    const tenant = await newTenant();
    const hostname = await activeHost(tenant);
    expect((await act(tenant, hostname, 'verify')).body.customDomain.state).toBe('active');
    const pending = await ownedHost(tenant);
    const again = await act(tenant, pending, 'verify');
    expect([again.status, again.body.customDomain.state]).toEqual([200, 'pending_tls']);
    expect(again.body.customDomain.reason).toContain('No valid certificate');
  });

  test('200 for ten at once', async () => {
    const tenant = await newTenant();
    const hostname = freshHost();
    const { body } = await register(tenant, hostname);
    await setDns(body.dnsRecord.name, ['x', body.dnsRecord.value]);
    const answers = await atOnce(10, () => act(tenant, hostname, 'verify'));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(200));
    expect((await list(tenant))[0]?.state).toBe('pending_tls');
  });

  test('200 looks again after the run was ended from outside', async () => {
    const tenant = await newTenant();
    const hostname = freshHost();
    await register(tenant, hostname);
    await act(tenant, hostname, 'verify');
    await temporal.client.workflow.getHandle(`domain:${hostname}`).terminate('by the test');
    expect((await act(tenant, hostname, 'verify')).status).toBe(200);
  });

  test('409 for a deactivated one', async () => {
    const tenant = await newTenant();
    const hostname = freshHost();
    await register(tenant, hostname);
    await drop(tenant, hostname);
    expect(await act(tenant, hostname, 'verify')).toMatchObject(refused(409, 'conflict'));
  });
});

describe('POST …/custom-domains/:domain/activate', () => {
  test('200 with a valid certificate: active, resolved, and told of', async () => {
    const tenant = await newTenant();
    const hostname = await ownedHost(tenant);
    await setTls(hostname, 'valid');
    const { status, body } = await act(tenant, hostname, 'activate');
    expect([status, body.customDomain]).toMatchObject([
      200,
      { hostname, state: 'active', reason: null, nextCheckAt: null },
    ]);
    expect((await eventsOf(sql, tenant.id)).at(-1)).toMatchObject({
      detailType: 'organization.custom_domain_activated',
      detail: { hostname, state: 'active' },
    });
    expect((await resolve(hostname)).status).toBe(200);
    const { status: run } = await eventually(async () => {
      const found = await temporal.client.workflow.getHandle(`domain:${hostname}`).describe();
      return found.status.name !== 'RUNNING' && found;
    });
    expect(run.name).toBe('COMPLETED');
  });

  test.each([
    ['none', /No valid certificate at/],
    ['expired', /CERT_HAS_EXPIRED/],
  ] as const)('409 with the certificate %s, and the reason is kept', async (state, reason) => {
    const tenant = await newTenant();
    const hostname = await ownedHost(tenant);
    await setTls(hostname, state);
    const answer = await act(tenant, hostname, 'activate');
    expect(answer).toMatchObject(refused(409, 'conflict'));
    expect((await list(tenant))[0]).toMatchObject({
      state: 'pending_tls',
      reason: expect.stringMatching(reason),
    });
  });

  test('an activation under way when the organization is archived comes to nothing', async () => {
    const tenant = await newTenant();
    const hostname = await ownedHost(tenant);
    const [row] = await sql<[{ id: string }]>`
      select id from organization.custom_domain where hostname = ${hostname}
    `;
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/archive`);
    // The step after the handshake, which had begun before.
    const by = { adminId: developmentSuperadmin.id, ip: '127.0.0.1', userAgent: null };
    expect(await activateDomain(sql, { domainId: row.id, by })).toBe(false);
    expect(await list(tenant)).toMatchObject([{ hostname, state: 'pending_tls' }]);
    expect((await eventsOf(sql, tenant.id)).at(-1)).toMatchObject({ detailType: 'organization.archived' });
    const late = await act(tenant, hostname, 'activate');
    expect(late).toMatchObject({ status: 409, body: { message: 'The organization is archived' } });
  });

  test('409 while its record is awaited, once active, and when deactivated', async () => {
    const tenant = await newTenant();
    const hostname = freshHost();
    await register(tenant, hostname);
    expect(await act(tenant, hostname, 'activate')).toMatchObject(refused(409, 'conflict'));
    await drop(tenant, hostname);
    expect(await act(tenant, hostname, 'activate')).toMatchObject(refused(409, 'conflict'));
    expect(await act(tenant, await activeHost(tenant), 'activate')).toMatchObject(refused(409, 'conflict'));
  });
});

describe('DELETE …/custom-domains/:domain', () => {
  test('200 in every state keeps the row, tells once, and resolves no longer', async () => {
    const tenant = await newTenant();
    const pending = freshHost();
    await register(tenant, pending);
    for (const hostname of [pending, await ownedHost(tenant), await activeHost(tenant)]) {
      const { status, body } = await drop(tenant, hostname);
      expect([status, body.customDomain]).toMatchObject([200, { hostname, state: 'deactivated' }]);
      expect((await drop(tenant, hostname)).status).toBe(200);
      expect(await resolve(hostname)).toMatchObject(refused(404, 'not_found'));
    }
    expect((await list(tenant)).map(({ state }) => state)).toEqual(Array(3).fill('deactivated'));
    const told = (await eventsOf(sql, tenant.id)).filter(({ detailType }) =>
      detailType.endsWith('deactivated'),
    );
    expect(told).toHaveLength(3);
  });
});

describe('who may do what with custom domains', () => {
  const attempts: [
    string,
    (tenant: Tenant, hostname: string, token: string) => Promise<{ status: number }>,
  ][] = [
    ['POST', (tenant, _hostname, token) => register(tenant, freshHost(), token)],
    ['POST verify', (tenant, hostname, token) => act(tenant, hostname, 'verify', token)],
    ['POST activate', (tenant, hostname, token) => act(tenant, hostname, 'activate', token)],
    ['DELETE', (tenant, hostname, token) => drop(tenant, hostname, token)],
  ];

  test.each(attempts.slice(1))(
    '404 for %s of a hostname that is unknown, foreign or none; 409 when archived',
    async (_name, attempt) => {
      const [tenant, other] = [await newTenant(), await newTenant()];
      const hostname = freshHost();
      await register(other, hostname);
      for (const unknown of [hostname, freshHost(), 'localhost', '%ff'])
        expect((await attempt(tenant, unknown, superadmin)).status).toBe(unknown === '%ff' ? 400 : 404);
      await ask(superadmin, 'POST', `/v1/organizations/${other.id}/archive`);
      expect(await attempt(other, hostname, superadmin)).toMatchObject(refused(409, 'conflict'));
    },
  );

  test('200 for GET by every role, 401 and 404 else', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    for (const role of ['org_admin', 'org_user', 'support'] as const)
      expect((await ask((await newAdmin(tenant, role)).token, 'GET', base(tenant))).status).toBe(200);
    expect(await ask(undefined, 'GET', base(tenant))).toMatchObject(refused(401, 'unauthorized'));
    const { token } = await newAdmin(other, 'org_admin');
    expect(await ask(token, 'GET', base(tenant))).toMatchObject(refused(404, 'not_found'));
    expect(await ask(superadmin, 'GET', base({ id: randomUUID() }))).toMatchObject(refused(404, 'not_found'));
  });
});

describe('GET /v1/public/resolve', () => {
  test('200 with what a portal shows, to be kept for 60 s', async () => {
    const tenant = await newTenant();
    const hostname = await activeHost(tenant);
    const first = await resolve(hostname.toUpperCase());
    expect([first.status, first.headers.get('cache-control')]).toEqual([200, 'public, max-age=60']);
    const { id, slug, kind, displayName } = tenant;
    const organization = { id, slug, kind, displayName, status: 'active' };
    expect(first.body).toEqual({
      organization,
      branding: {
        primaryColor: null,
        logoUrl: null,
        faviconUrl: null,
        emailHeaderImageUrl: null,
        displayNames: { patientPortal: null, adminPortal: null, email: null },
      },
      portalConfig: {
        messagingEnabled: false,
        selfSchedulingEnabled: false,
        refillSelfServiceEnabled: false,
        termsUrl: null,
      },
    });
    const branding = { primaryColor: '#112233', displayNames: { patientPortal: 'Us' } };
    await ask(superadmin, 'PUT', `/v1/organizations/${id}/branding`, branding);
    await ask(superadmin, 'PUT', `/v1/organizations/${id}/portal-config`, { messagingEnabled: true });
    expect((await resolve(hostname)).body).toMatchObject({
      branding,
      portalConfig: { messagingEnabled: true, selfSchedulingEnabled: false },
    });
  });

  test('503 for a suspended organization, 200 again once it is reactivated', async () => {
    const tenant = await newTenant();
    const hostname = await activeHost(tenant);
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/suspend`);
    expect(await resolve(hostname)).toMatchObject(refused(503, 'suspended'));
    await ask(superadmin, 'POST', `/v1/organizations/${tenant.id}/reactivate`);
    expect((await resolve(hostname)).status).toBe(200);
  });

  test('404 in the same words for unknown, pending, deactivated and archived, and for what is no hostname', async () => {
    const [tenant, archived] = [await newTenant(), await newTenant()];
    const pending = freshHost();
    await register(tenant, pending);
    const suspendedAndPending = freshHost();
    const suspended = await newTenant();
    await register(suspended, suspendedAndPending);
    await ask(superadmin, 'POST', `/v1/organizations/${suspended.id}/suspend`);
    const dropped = await activeHost(tenant);
    await drop(tenant, dropped);
    const gone = await activeHost(archived);
    await ask(superadmin, 'POST', `/v1/organizations/${archived.id}/archive`);
    for (const hostname of [freshHost(), pending, suspendedAndPending, dropped, gone, 'localhost', "'"]) {
      const { status, body, headers } = await resolve(hostname);
      expect([status, body, headers.get('cache-control')]).toEqual([
        404,
        { error: 'not_found', message: 'Hostname not found' },
        null,
      ]);
    }
  });

  test('400 without a hostname', async () => {
    expect(await ask(undefined, 'GET', '/v1/public/resolve')).toMatchObject(invalid('hostname'));
  });
});

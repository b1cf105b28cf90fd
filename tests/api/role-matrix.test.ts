import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { format, resolveConfig } from 'prettier';
import { createSql, type Sql } from '../../db/client.js';
import { openWorkItem } from '../../db/work-items.js';
import { adminToken, call, callAs, eventually, shared } from '../helpers/client.js';
import { openApiOf, operationsOf } from '../helpers/openapi.js';
import {
  freshEmail,
  freshSlug,
  grant,
  newAdmin,
  newInvited,
  newTenant,
  root,
  type Tenant,
} from './organization/tenants.js';

// Every route that asks for an admin, with every kind of caller. Who may is written down here from the specification
// (page 3, Endpoints; page 3, Role matrix; D74-D77, D84, D109), not taken from the code. `npm run evidence --
// role-matrix`
// writes the page.

const services = ['organization', 'patients', 'bridge', 'worklist'] as const;
type Service = (typeof services)[number];
type Who =
  | 'anyone'
  | 'any admin'
  | 'superadmin'
  | 'superadmin, of one'
  | 'operator'
  | 'org_admin or operator'
  | 'member or operator'
  | 'member'
  | 'org_user up'
  | 'org_admin'
  | 'an org_admin'
  | 'a support'
  | 'a member or operator';

/** The target of a caller: a tenant of its own, so that callers do not disturb each other. */
interface World {
  tenant: Tenant;
  hostname: string;
  adminId: string;
  patientId: string;
  mrn: string;
  emrPatientId: string;
  snapshotId: string;
  itemId: string;
  /** The task of a schedule of the patient's refills. */
  taskId: string;
}
interface Route {
  service: Service;
  method: string;
  /** As the service documents it. */
  path: string;
  who: Who;
  at?: (world: World) => string;
  body?: (world: World) => unknown;
}

const intake = () => ({ intakeType: 'glp-1', submittedAt: new Date().toISOString(), payload: { answer: 1 } });
const newPatient = ({ tenant }: Pick<World, 'tenant'>) => ({
  organizationId: tenant.id,
  contactEmail: freshEmail(),
  demographics: {
    firstName: 'Ada',
    lastName: 'Example',
    dob: '1984-03-12',
    gender: 'female',
    phone: '2025550123',
    address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'NY', zip: '13202' },
  },
  intake: intake(),
});
const window = () => ({ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' });
const organization = (method: string, rest: string, who: Who, more: Partial<Route> = {}): Route => ({
  service: 'organization',
  method,
  path: `/v1/organizations/{id}${rest}`,
  who,
  at: ({ tenant, hostname }) => `/v1/organizations/${tenant.id}${rest.replace('{domain}', hostname)}`,
  ...more,
});
const patient = (method: string, rest: string, who: Who, body?: Route['body']): Route => ({
  service: 'patients',
  method,
  path: `/v1/patients/{id}${rest}`,
  who,
  at: ({ patientId, snapshotId }) => `/v1/patients/${patientId}${rest.replace('{snapshotId}', snapshotId)}`,
  ...(body && { body }),
});
const workers = (service: Service, prefix: string): Route[] => [
  { service, method: 'POST', path: `${prefix}/admin/workers/outbox/tick`, who: 'superadmin' },
  {
    service,
    method: 'POST',
    path: `${prefix}/admin/workers/outbox/redrive`,
    who: 'superadmin',
    body: window,
  },
];
const item = (method: string, rest: string, who: Who, body?: Route['body']): Route => ({
  service: 'worklist',
  method,
  path: `/v1/work-items/{id}${rest}`,
  who,
  at: ({ itemId }) => `/v1/work-items/${itemId}${rest}`,
  ...(body && { body }),
});
const order = (method: string, rest: string, who: Who, body?: unknown): Route => ({
  service: 'worklist',
  method,
  path: `/v1/orders/{taskId}${rest}`,
  who,
  at: ({ taskId }) => `/v1/orders/${taskId}${rest}`,
  ...(body !== undefined && { body: () => body }),
});
const unknown = randomUUID();

/** In an order in which what one route undoes is not missed by a later one. */
const routes: Route[] = [
  {
    service: 'organization',
    method: 'POST',
    path: '/v1/auth/otp/send',
    who: 'anyone',
    body: () => ({ email: freshEmail() }),
  },
  {
    service: 'organization',
    method: 'POST',
    path: '/v1/organizations',
    who: 'superadmin',
    body: () => ({ slug: freshSlug(), displayName: 'Clinic', kind: 'dtc' }),
  },
  { service: 'organization', method: 'GET', path: '/v1/organizations', who: 'any admin' },
  organization('GET', '', 'member'),
  organization('PATCH', '', 'org_admin', { body: () => ({ displayName: 'Renamed' }) }),
  organization('PUT', '/branding', 'org_admin', { body: () => ({}) }),
  organization('PUT', '/portal-config', 'org_admin', { body: () => ({}) }),
  organization('PUT', '/notification-config', 'org_admin', { body: () => ({}) }),
  organization('POST', '/custom-domains', 'org_admin', {
    body: () => ({ hostname: `${randomUUID()}.test` }),
  }),
  organization('GET', '/custom-domains', 'member'),
  organization('POST', '/custom-domains/{domain}/verify', 'org_admin'),
  organization('POST', '/custom-domains/{domain}/activate', 'org_admin'),
  organization('DELETE', '/custom-domains/{domain}', 'org_admin'),
  {
    service: 'organization',
    method: 'POST',
    path: '/v1/admin-users',
    who: 'an org_admin',
    body: () => ({ email: freshEmail(), displayName: 'Kim' }),
  },
  { service: 'organization', method: 'GET', path: '/v1/admin-users', who: 'any admin' },
  {
    service: 'organization',
    method: 'POST',
    path: '/v1/admin-users/{id}/memberships',
    who: 'org_admin',
    at: ({ adminId }) => `/v1/admin-users/${adminId}/memberships`,
    body: ({ tenant }) => ({ organizationId: tenant.id, role: 'support' }),
  },
  {
    service: 'organization',
    method: 'DELETE',
    path: '/v1/admin-users/{id}/memberships/{orgId}',
    who: 'org_admin',
    at: ({ adminId, tenant }) => `/v1/admin-users/${adminId}/memberships/${tenant.id}`,
  },
  {
    service: 'organization',
    method: 'PATCH',
    path: '/v1/admin-users/{id}',
    who: 'superadmin',
    at: ({ adminId }) => `/v1/admin-users/${adminId}`,
    body: () => ({ isOperator: true }),
  },
  ...['suspend', 'reactivate'].map((change): Route => ({
    service: 'organization',
    method: 'POST',
    path: `/v1/admin-users/{id}/${change}`,
    who: 'superadmin',
    at: ({ adminId }) => `/v1/admin-users/${adminId}/${change}`,
  })),
  {
    service: 'organization',
    method: 'POST',
    path: '/v1/physicians/{id}/memberships',
    who: 'org_admin',
    at: () => `/v1/physicians/${unknown}/memberships`,
    body: ({ tenant }) => ({ organizationId: tenant.id }),
  },
  {
    service: 'organization',
    method: 'DELETE',
    path: '/v1/physicians/{id}/memberships/{orgId}',
    who: 'org_admin',
    at: ({ tenant }) => `/v1/physicians/${unknown}/memberships/${tenant.id}`,
  },
  { service: 'organization', method: 'GET', path: '/v1/audit-events', who: 'superadmin' },
  { service: 'organization', method: 'GET', path: '/v1/access-events', who: 'superadmin' },
  { service: 'organization', method: 'GET', path: '/v1/access-events/days', who: 'superadmin' },
  ...workers('organization', '/v1'),

  { service: 'patients', method: 'POST', path: '/v1/patients', who: 'org_user up', body: newPatient },
  {
    service: 'patients',
    method: 'POST',
    path: '/v1/patients/email-lookup',
    who: 'member',
    body: ({ tenant }) => ({ organizationId: tenant.id, email: 'nobody@example.test' }),
  },
  patient('GET', '', 'member'),
  {
    service: 'patients',
    method: 'GET',
    path: '/v1/patients/by-mrn/{mrn}',
    who: 'member',
    at: ({ mrn }) => `/v1/patients/by-mrn/${mrn}`,
  },
  ...['by-emr-id', 'by-canvas-id'].map((by): Route => ({
    service: 'patients',
    method: 'GET',
    path: `/v1/patients/${by}/{emrPatientId}`,
    who: 'member',
    at: ({ emrPatientId }) => `/v1/patients/${by}/${emrPatientId}`,
  })),
  patient('PATCH', '', 'org_user up', () => ({ legacy_mrn: `L-${randomUUID()}` })),
  patient('POST', '/intake-snapshots', 'org_user up', intake),
  patient('GET', '/intake-snapshots', 'member'),
  patient('GET', '/intake-snapshots/{snapshotId}', 'member'),
  patient('POST', '/archive', 'org_user up'),
  patient('POST', '/erase', 'superadmin'),
  {
    service: 'patients',
    method: 'GET',
    path: '/v1/erasures/{id}',
    who: 'superadmin',
    at: () => `/v1/erasures/${unknown}`,
  },
  { service: 'patients', method: 'GET', path: '/v1/orphans', who: 'superadmin' },
  {
    service: 'patients',
    method: 'POST',
    path: '/v1/orphans/{id}/settle',
    who: 'superadmin',
    at: () => `/v1/orphans/${unknown}/settle`,
  },
  ...workers('patients', '/v1'),

  { service: 'bridge', method: 'GET', path: '/webhook-events', who: 'superadmin' },
  {
    service: 'bridge',
    method: 'GET',
    path: '/webhook-events/{id}',
    who: 'superadmin',
    at: () => `/webhook-events/${unknown}`,
  },
  { service: 'bridge', method: 'GET', path: '/emr-sync-attempts', who: 'a support' },
  {
    service: 'bridge',
    method: 'GET',
    path: '/emr-sync-attempts/{id}',
    who: 'a support',
    at: () => `/emr-sync-attempts/${unknown}`,
  },
  {
    service: 'bridge',
    method: 'POST',
    path: '/emr-sync-attempts/{id}/retry',
    who: 'superadmin',
    at: () => `/emr-sync-attempts/${unknown}/retry`,
  },
  { service: 'bridge', method: 'POST', path: '/admin/workers/emr-sync/tick', who: 'superadmin' },
  ...workers('bridge', ''),

  {
    service: 'worklist',
    method: 'POST',
    path: '/v1/auth/otp/send',
    who: 'anyone',
    body: () => ({ email: freshEmail() }),
  },
  { service: 'worklist', method: 'GET', path: '/v1/work-items', who: 'any admin' },
  { service: 'worklist', method: 'GET', path: '/v1/work-items/counts', who: 'any admin' },
  { service: 'worklist', method: 'GET', path: '/v1/auth/ways', who: 'anyone' },
  { service: 'worklist', method: 'GET', path: '/v1/stuck-runs', who: 'operator' },
  {
    service: 'worklist',
    method: 'GET',
    path: '/v1/timeline/{taskId}',
    who: 'operator',
    at: () => `/v1/timeline/${unknown}`,
  },
  {
    service: 'worklist',
    method: 'GET',
    path: '/v1/search',
    who: 'a member or operator',
    at: ({ taskId }) => `/v1/search?q=${taskId}`,
  },
  {
    service: 'worklist',
    method: 'GET',
    path: '/v1/months/{month}',
    who: 'operator',
    at: () => '/v1/months/2026-01',
  },
  order('GET', '', 'member or operator'),
  order('POST', '/actions', 'org_admin or operator', { action: 'skip' }),
  item('GET', '', 'member or operator'),
  item('POST', '/note', 'org_admin or operator', () => ({ note: 'Asked the owner' })),
  item('POST', '/snooze', 'org_admin or operator', () => ({
    until: new Date(Date.now() + 3_600_000).toISOString(),
  })),
  item('POST', '/answer', 'org_admin or operator', () => ({ answer: 'dismiss' })),

  ...['suspend', 'reactivate', 'archive'].map((change) =>
    organization('POST', `/${change}`, 'superadmin, of one'),
  ),
];
/** Not told apart by roles, or the end of what the caller has; each has its own tests. */
const others = [
  'organization POST /v1/auth/otp/check',
  'organization POST /v1/auth/exchange',
  'organization POST /v1/auth/refresh',
  'organization POST /v1/auth/sign-out',
  'organization GET /v1/auth/me',
  'worklist POST /timeline',
  // Signed by the worklist.
  ...['organization', 'patients', 'bridge'].map((service) => `${service} POST /work-items/{}/answer`),
  'patients POST /desk/patients',
  ...['send', 'check', 'exchange'].map((step) => `organization POST /desk/sign-in/${step}`),
  'organization GET /v1/public/resolve',
  'bridge POST /webhooks/emr',
  'worklist POST /v1/auth/otp/check',
  ...['exchange', 'refresh', 'sign-out'].map((step) => `worklist POST /v1/auth/${step}`),
];

const callers = [
  'no token',
  'support',
  'org_user',
  'org_admin',
  'org_admin elsewhere',
  'operator',
  'superadmin',
] as const;
type Caller = (typeof callers)[number];
type Verdict = 'allowed' | 401 | 403 | 404;

/** Page 3, Role matrix, in one place. */
function verdict(who: Who, caller: Caller): Verdict {
  if (who === 'anyone') return 'allowed';
  if (caller === 'no token') return 401;
  if (caller === 'superadmin' || who === 'any admin') return 'allowed';
  if (caller === 'operator')
    return who.endsWith('operator') ? 'allowed' : who.startsWith('a') || who === 'superadmin' ? 403 : 404;
  if (who === 'superadmin' || who === 'operator') return 403;
  if (who === 'a member or operator') return 'allowed';
  const role = caller === 'org_admin elsewhere' ? 'org_admin' : caller;
  if (who === 'an org_admin') return role === 'org_admin' ? 'allowed' : 403;
  if (who === 'a support') return role === 'support' ? 'allowed' : 403;
  if (caller === 'org_admin elsewhere') return 404;
  const allowed: Record<typeof who, string[]> = {
    member: ['support', 'org_user', 'org_admin'],
    'org_user up': ['org_user', 'org_admin'],
    org_admin: ['org_admin'],
    'member or operator': ['support', 'org_user', 'org_admin'],
    'org_admin or operator': ['org_admin'],
    'superadmin, of one': [],
  };
  return allowed[who].includes(role) ? 'allowed' : 403;
}

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());
const name = ({ service, method, path }: Pick<Route, 'service' | 'method' | 'path'>) =>
  `${service} ${method} ${path}`;
const answers = new Map<string, Partial<Record<Caller, number>>>();
/** The ids that nobody has are unknown to those who may ask for them. */
const asksForUnknown = ({ at }: Route) => at?.({ tenant: {} } as World).includes(unknown) ?? false;

async function newWorld(): Promise<World> {
  const tenant = await newTenant();
  const token = await root();
  const hostname = `${randomUUID()}.test`;
  await callAs(dev, 'organization', token, {
    method: 'POST',
    path: `/v1/organizations/${tenant.id}/custom-domains`,
    body: { hostname },
  });
  const admin = await newInvited();
  await grant(admin.id, tenant.id, 'org_user');
  const { body } = await callAs<{ patient: { id: string; mrn: string; emr_patient_id: string } }>(
    dev,
    'patients',
    token,
    {
      method: 'POST',
      path: '/v1/patients',
      body: newPatient({ tenant }),
    },
  );
  const { id: patientId, mrn, emr_patient_id: emrPatientId } = body.patient;
  const { body: archive } = await callAs<{ snapshots: { id: string }[] }>(dev, 'patients', token, {
    path: `/v1/patients/${patientId}/intake-snapshots`,
  });
  const itemId = await openItem(tenant);
  const { body: refills } = await call<{ schedule: { id: string } }>(dev, 'orchestrator', {
    method: 'POST',
    path: '/orchestrator/refill-schedules',
    body: { emrPatientId, medication: 'semaglutide', totalRefillsAllowed: 9 },
  });
  return {
    itemId,
    taskId: `refill-${refills.schedule.id}`,
    tenant,
    hostname,
    adminId: admin.id,
    patientId,
    mrn,
    emrPatientId,
    snapshotId: archive.snapshots[0]!.id,
  };
}

/** Something of the tenant's that waits for a person. @returns its id at the worklist */
async function openItem({ id: organizationId }: Tenant): Promise<string> {
  const item = {
    kind: 'domain_unverified',
    fact: randomUUID(),
    reason: 'no_record',
    references: {},
  } as const;
  await sql.begin((sql) => openWorkItem(sql, 'organization', { ...item, organizationId }));
  const path = `/v1/work-items?organizationId=${organizationId}`;
  const token = await root();
  return eventually(async () => {
    const { body } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, { path });
    return body.workItems[0]?.id;
  });
}

async function tokenFor(caller: Caller, { tenant }: World): Promise<string | undefined> {
  if (caller === 'no token') return undefined;
  if (caller === 'superadmin') return root();
  if (caller === 'operator')
    return adminToken(dev, { sub: randomUUID(), isSuperadmin: false, isOperator: true });
  if (caller === 'org_admin elsewhere') return (await newAdmin(await newTenant(), 'org_admin')).token;
  return (await newAdmin(tenant, caller)).token;
}

describe.each(callers)('%s', (caller) => {
  let world: World;
  let token: string | undefined;
  beforeAll(async () => {
    world = await newWorld();
    token = await tokenFor(caller, world);
  });

  test.each(routes.map((route) => [String(verdict(route.who, caller)), name(route), route] as const))(
    '%s: %s',
    async (expected, _name, route) => {
      const { service, method, path, at, body } = route;
      const { status } = await callAs(dev, service, token, {
        method,
        path: at?.(world) ?? path,
        ...(body && { body: body(world) }),
      });
      answers.set(name(route), { ...answers.get(name(route)), [caller]: status });
      if (expected !== 'allowed') expect(status).toBe(Number(expected));
      else expect([200, 201, 202, 409, ...(asksForUnknown(route) ? [404] : [])]).toContain(status);
    },
  );
});

test('every route of the four services is in the table', async () => {
  const documented = await Promise.all(
    services.map(async (service) =>
      operationsOf(await openApiOf(dev, service))
        .filter(({ path }) => !/(^|\/)(health|ready)$/.test(path))
        .map(({ method, path }) => name({ service, method: method.toUpperCase(), path })),
    ),
  );
  const inTable = routes.map((route) => name(route).replace(/\{\w+\}/g, '{}'));
  expect([...inTable, ...others].sort()).toEqual(
    documented
      .flat()
      .map((each) => each.replace(/\{\w+\}/g, '{}'))
      .sort(),
  );
});

const page = new URL('../../evidence/results/role-matrix.md', import.meta.url);
afterAll(async () => {
  if (process.env['WRITE_ROLE_MATRIX'] === 'yes') writeFileSync(page, await printed());
});

test('evidence/results/role-matrix.md shows these answers', async () => {
  if (process.env['WRITE_ROLE_MATRIX'] !== 'yes') expect(readFileSync(page, 'utf8')).toBe(await printed());
});

async function printed(): Promise<string> {
  const rows = routes.map((route) => {
    const { service, method, path, who } = route;
    const statuses = callers.map((caller) => answers.get(name(route))?.[caller] ?? '');
    return `| ${service} | \`${method} ${path}\` | ${who} | ${statuses.join(' | ')} |`;
  });
  const text = [
    '# Who may do what',
    '',
    'The organization service, the patient directory, the EMR bridge and the worklist answer every kind of caller as follows.',
    '`npm run evidence -- role-matrix` writes this page, and every test run compares it with the answers.',
    '',
    '`org_admin elsewhere` is an org_admin of another organization. 401 means an unknown caller, 403 a known caller without the',
    'right. 404 means that the caller cannot see the record, or that no record has the id. Any other status lets the caller in.',
    '',
    `| service | route | for | ${callers.join(' | ')} |`,
    `| --- | --- | --- | ${callers.map(() => '---').join(' | ')} |`,
    ...rows,
    '',
  ].join('\n');
  return format(text, { ...(await resolveConfig(page)), parser: 'markdown' });
}

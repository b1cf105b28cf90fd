import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { learnOrganization } from '../../../api/patients/create-patient.js';
import { publishEvent } from '../../../db/outbox.js';
import { listOrphans, settleOrphan } from '../../../db/patients/orphans.js';
import { findOrganizationStatus } from '../../../db/patients/organizations.js';
import { createOrganizationClient } from '../../../integrations/organization/client.js';
import { adminToken, callAs, eventually, sandbox, shared } from '../../helpers/client.js';
import { type Ask, asking, asOwner, memberOf, newBody, organization } from './directory.js';

const dev = shared();
let superadmin: Ask;
let orgAdmin: Ask;
beforeAll(async () => {
  superadmin = asking(dev, await adminToken(dev));
  orgAdmin = asking(dev, await memberOf(dev, await organization(dev), 'org_admin'));
});

const anOrphan = async (): Promise<string> => {
  const [row] = await asOwner(
    dev,
    (sql) => sql<{ id: string }[]>`
      insert into patients.orphan_log (emr_patient_id, mrn, organization_id, reason)
      values (${randomUUID()}, '0123456789', ${randomUUID()}, 'A test')
      returning id
    `,
  );
  return row!.id;
};

describe('orphans', () => {
  test('200: page by page, newest first; settled once', async () => {
    const ids = [await anOrphan(), await anOrphan(), await anOrphan()].reverse();
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { status, body } = await superadmin('GET', `/orphans?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(status).toBe(200);
      expect(body.orphans.length).toBeLessThanOrEqual(2);
      seen.push(...body.orphans.map(({ id }) => id));
      cursor = body.nextCursor;
    }
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);

    const sub = randomUUID();
    const operator = asking(dev, await adminToken(dev, { sub, isSuperadmin: true }));
    const first = await operator('POST', `/orphans/${ids[0]}/settle`);
    expect([first.status, first.body.orphan]).toMatchObject([
      200,
      { id: ids[0], settled_at: expect.any(String), settled_by: sub },
    ]);
    const again = await superadmin('POST', `/orphans/${ids[0]}/settle`);
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  test('400: a limit or a cursor that is none; 404: an unknown entry', async () => {
    for (const query of ['limit=0', 'limit=201', 'cursor=x'])
      expect((await superadmin('GET', `/orphans?${query}`)).status).toBe(400);
    for (const id of [randomUUID(), 'x'])
      expect((await superadmin('POST', `/orphans/${id}/settle`)).status).toBe(404);
  });
});

test('orphans are listed and settled within the organizations that are named, and no others', async () => {
  const id = await anOrphan();
  await asOwner(dev, async (sql) => {
    const [own] = (await listOrphans(sql, 'all', { limit: 200 })).filter((orphan) => orphan.id === id);
    const listed = async (organizations: string[]) =>
      (await listOrphans(sql, organizations, { limit: 200 })).map((orphan) => orphan.id);
    expect(await listed([randomUUID()])).toEqual([]);
    expect(await listed([own!.organizationId])).toEqual([id]);
    const settle = (organizations: string[]) =>
      settleOrphan(sql, organizations, { id, settledBy: 'operator' });
    expect(await settle([randomUUID()])).toBeUndefined();
    expect(await settle([own!.organizationId])).toMatchObject({ id, settledBy: 'operator' });
  });
});

describe('the outbox', () => {
  test('200: a tick and a redrive', async () => {
    const tick = await superadmin('POST', '/admin/workers/outbox/tick');
    expect([tick.status, tick.body]).toEqual([200, { processed: expect.any(Number) }]);
    const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };
    const redrive = await superadmin('POST', '/admin/workers/outbox/redrive', window);
    expect([redrive.status, redrive.body]).toEqual([200, { processed: 0 }]);
    expect((await superadmin('POST', '/admin/workers/outbox/redrive', {})).status).toBe(400);
  });

  test('200 for a redrive: what was delivered at that time is delivered again, under its id', async () => {
    const event = { detailType: 'patient.updated', organizationId: null, detail: {} };
    const id = await asOwner(dev, (sql) =>
      publishEvent(sql, 'patients', { ...event, aggregateId: randomUUID() }),
    );
    const told = async () => {
      const { events } = await sandbox<{ events: { event: { id: string } }[] }>(dev, '/events');
      return events.filter((entry) => entry.event.id === id).length;
    };
    const state = () =>
      asOwner(dev, async (sql) => {
        const [row] = await sql`select state from patients.event_delivery where event_id = ${id}`;
        return row?.['state'] as unknown;
      });
    await eventually(async () => (await state()) === 'delivered');
    expect(await told()).toBe(1);

    await asOwner(dev, (sql) => sql`update patients.outbox set time = '2001-05-01T10:00Z' where id = ${id}`);
    const window = { from: '2001-05-01T09:00:00Z', to: '2001-05-01T11:00:00Z' };
    const dead = await superadmin('POST', '/admin/workers/outbox/redrive', { ...window, state: 'dead' });
    expect([dead.status, dead.body]).toEqual([200, { processed: 0 }]);
    const all = await superadmin('POST', '/admin/workers/outbox/redrive', window);
    expect([all.status, all.body]).toEqual([200, { processed: 1 }]);
    await eventually(async () => (await told()) === 2);
    await eventually(async () => (await state()) === 'delivered');
  });
});

test.each([
  ['GET', '/orphans'],
  ['POST', `/orphans/${randomUUID()}/settle`],
  ['POST', '/admin/workers/outbox/tick'],
  ['POST', '/admin/workers/outbox/redrive'],
])('401 without a token and 403 for an org_admin: %s %s', async (method, path) => {
  expect((await asking(dev, undefined)(method, path)).status).toBe(401);
  const { status, body } = await orgAdmin(method, path);
  expect([status, body]).toEqual([403, { error: 'forbidden', message: 'Forbidden' }]);
});

describe('organization states', () => {
  const told = (organizationId: string, detailType: string, status?: string) =>
    asOwner(dev, (sql) =>
      publishEvent(sql, 'organization', {
        detailType,
        aggregateId: organizationId,
        organizationId,
        detail: { organizationId, ...(status === undefined ? {} : { status }) },
      }),
    );
  const becomes = (organizationId: string, status: string) =>
    eventually(
      async () => (await asOwner(dev, (sql) => findOrganizationStatus(sql, organizationId))) === status,
    );

  test('follow the events of the organization service: 201, 409, 201 and 409 for good', async () => {
    const organizationId = randomUUID();
    const ask = asking(dev, await memberOf(dev, organizationId));
    const create = async () => (await ask('POST', '/patients', newBody(organizationId))).status;
    await told(organizationId, 'organization.created', 'active');
    await becomes(organizationId, 'active');
    expect(await create()).toBe(201);
    await told(organizationId, 'organization.suspended', 'suspended');
    await becomes(organizationId, 'suspended');
    expect(await create()).toBe(409);
    await told(organizationId, 'organization.updated', 'active');
    await becomes(organizationId, 'active');
    expect(await create()).toBe(201);
    await told(organizationId, 'organization.archived');
    await becomes(organizationId, 'archived');
    expect(await create()).toBe(409);
  });

  test('201 in an organization that was made a moment ago, 409 once it is suspended', async () => {
    const token = await adminToken(dev);
    const tenants = (path: string, body?: unknown) =>
      callAs<{ organization: { id: string } }>(dev, 'organization', token, {
        method: 'POST',
        path: `/v1/organizations${path}`,
        ...(body === undefined ? {} : { body }),
      });
    const made = await tenants('', { slug: `t-${randomUUID()}`, displayName: 'Test', kind: 'dtc' });
    const { id } = made.body.organization;
    const create = async () => (await superadmin('POST', '/patients', newBody(id))).status;
    expect([made.status, await create()]).toEqual([201, 201]);
    expect((await tenants(`/${id}/suspend`)).status).toBe(200);
    await becomes(id, 'suspended');
    expect(await create()).toBe(409);
  });

  test('are asked for in the name of the caller where no event has told of them; 401 and 429 are handed on, the rest is 502', async () => {
    const [known, unknown, hidden] = [randomUUID(), randomUUID(), randomUUID()];
    const [ended, busy] = [randomUUID(), randomUUID()];
    const asked: unknown[] = [];
    const server = createServer((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      if (request.url?.endsWith(hidden)) return void response.writeHead(500).end();
      if (request.url?.endsWith(ended)) return void response.writeHead(401).end();
      if (request.url?.endsWith(busy)) return void response.writeHead(429, { 'retry-after': '7' }).end();
      const found = request.url?.endsWith(known);
      response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(found ? { organization: { id: known, status: 'suspended' } } : {}));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = createOrganizationClient({ baseUrl: `http://127.0.0.1:${port}` });
    const authorization = 'Bearer token';
    await asOwner(dev, async (sql) => {
      const learn = (organizationId: string) =>
        learnOrganization({ sql }, client, { organizationId, authorization });
      await learn(known);
      await learn(known);
      expect(await findOrganizationStatus(sql, known)).toBe('suspended');
      await expect(learn(unknown)).rejects.toMatchObject({ statusCode: 404 });
      await expect(learn(hidden)).rejects.toMatchObject({
        statusCode: 502,
        details: { code: 'organization_unavailable' },
      });
      await expect(learn(ended)).rejects.toMatchObject({ statusCode: 401 });
      await expect(learn(busy)).rejects.toMatchObject({
        statusCode: 429,
        details: { headers: { 'retry-after': '7' } },
      });
    });
    expect(asked).toEqual(
      [known, unknown, hidden, ended, busy].map((id) => [`/v1/organizations/${id}`, authorization]),
    );
    server.close();
  });
});

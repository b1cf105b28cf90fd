import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Payload } from '@temporalio/common';
import { toWire } from '../../api/codec/contract.js';
import { createSql, type Sql } from '../../db/client.js';
import { developmentSuperadmin } from '../../dev/seed/admins.js';
import { approvalWorkflowId } from '../../workflows/ids.js';
import { keyFrom, rx } from '../cli/rx.js';
import { adminToken, call, callAs, eventually, freshTask, patientIn, shared } from '../helpers/client.js';
import { newPatient } from '../helpers/patients.js';
import { openTemporal } from '../helpers/temporal-view.js';
import { approve, semaglutideFor } from './orchestrator/approvals.js';
import { ask, freshEmail, grant, newAdmin, newInvited, newTenant, root } from './organization/tenants.js';
import { mailsTo } from './intake/visitors.js';
import { newDirectoryPatient } from './patients/directory.js';

const dev = shared();
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());

interface Event {
  at: string;
  actor: string;
  actorKind: string;
  action: string;
  record: string | null;
  organizationId: string | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string | null;
  outcome: string;
}
interface Page {
  accessEvents: Event[];
  nextCursor: string | null;
}

const page = async (query: Record<string, string>, token?: string) =>
  ask<Page>(token ?? (await root()), 'GET', `/v1/access-events?${new URLSearchParams(query).toString()}`);
const events = async (query: Record<string, string>): Promise<Event[]> => {
  const { status, body } = await page(query);
  expect(status).toBe(200);
  return body.accessEvents;
};
/** Told by a request id of their own, so that nobody else's requests are counted. */
const ofRequest = (requestId: string) => sql<
  { actor: string; action: string; record: string; outcome: string }[]
>`
  select actor, action, record, outcome from access.access_event where request_id = ${requestId}
  order by position
`;
const requestId = () => ({ 'x-request-id': randomUUID() });

describe('GET /v1/access-events', () => {
  test('200: who read a patient, from where and in which request, and nothing of the patient', async () => {
    const { patient, organizationId } = await newDirectoryPatient(dev);
    const headers = { ...requestId(), 'user-agent': 'a browser' };
    for (const path of [patient.id, `by-mrn/${patient.mrn}`, `by-emr-id/${patient.emr_patient_id!}`])
      expect(
        (await callAs(dev, 'patients', await adminToken(dev), { path: `/v1/patients/${path}`, headers }))
          .status,
      ).toBe(200);
    const [event, ...others] = await events({ record: patient.id, action: 'patient.read' });
    expect(others).toHaveLength(2);
    expect(event).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      actor: developmentSuperadmin.email,
      actorKind: 'admin',
      action: 'patient.read',
      record: patient.id,
      organizationId,
      ip: expect.stringContaining('127.0.0.1'),
      userAgent: 'a browser',
      requestId: headers['x-request-id'],
      outcome: 'allowed',
    });
    const told = await sql`select event::text from access.access_event event where record = ${patient.id}`;
    for (const personal of [patient.email_lower!, patient.emr_patient_id!, patient.mrn])
      expect(JSON.stringify(told)).not.toContain(personal);
  });

  test('200: page by page, newest first, filtered by whoever it was, by record, action and time', async () => {
    const tenant = await newTenant();
    const { email, token } = await newAdmin(tenant, 'org_user');
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    for (const id of ids)
      expect((await callAs(dev, 'patients', token, { path: `/v1/patients/${id}` })).status).toBe(404);

    const seen: (string | null)[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: { body: Page } = await page({
        actor: email.toUpperCase(),
        limit: '2',
        ...(cursor && { cursor }),
      });
      seen.push(...body.accessEvents.map(({ record }) => record));
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(ids.toReversed());
    const [first] = await events({ record: ids[0]! });
    expect(first).toMatchObject({ actor: email, actorKind: 'admin', outcome: 'refused' });
    expect(await events({ record: ids[0]!, action: 'patient.archive' })).toEqual([]);
    expect(await events({ actor: email, from: first!.at, to: first!.at })).toContainEqual(first);
    expect(await events({ actor: email, from: '2999-01-01T00:00:00Z' })).toEqual([]);
  });

  test('200: an organization that nobody has, as a request named it', async () => {
    const { id } = await newInvited();
    const organizationId = randomUUID().replace(/-4(...)-./, '-0$1-0');
    expect((await grant(id, organizationId, 'support')).status).toBe(404);
    expect(await events({ record: id })).toMatchObject([{ organizationId, outcome: 'refused' }]);
  });

  test('403 for every other admin, 401 without a token, 400 for a cursor of another list', async () => {
    const { token } = await newAdmin(await newTenant(), 'org_admin');
    expect((await page({}, token)).status).toBe(403);
    expect((await ask(undefined, 'GET', '/v1/access-events')).status).toBe(401);
    expect((await page({ cursor: 'x' })).status).toBe(400);
  });

  test('what stands there stays: nobody changes or removes it, the owner neither', async () => {
    await expect(sql`delete from access.access_event`).rejects.toThrow('not allowed');
    await expect(sql`update access.access_event set actor = 'nobody'`).rejects.toThrow('not allowed');
    await expect(sql`truncate access.access_event`).rejects.toThrow('not allowed');
    const grants = await sql<{ grantee: string; privilegeType: string }[]>`
      select grantee, privilege_type from information_schema.table_privileges
      where table_name = 'access_event' and grantee like 'scriptrail\\_%'
    `;
    expect(grants).toEqual([{ grantee: 'scriptrail_organization', privilegeType: 'SELECT' }]);
    const dated = await sql`
      select grantee from information_schema.column_privileges
      where table_name = 'access_event' and column_name in ('at', 'position') and grantee like 'scriptrail\\_%'
        and privilege_type = 'INSERT'
    `;
    expect(dated).toEqual([]);
  });

  test('200: all of them as lines of JSON for who asks so (D162)', async () => {
    const tenant = await newTenant();
    const { email, token } = await newAdmin(tenant, 'org_user');
    const ids = Array.from({ length: 3 }, () => randomUUID());
    for (const id of ids) await callAs(dev, 'patients', token, { path: `/v1/patients/${id}` });
    const url = `${dev.services.organization}/v1/access-events?limit=1&actor=${encodeURIComponent(email)}`;
    const exported = async (bearer: string) =>
      fetch(url, { headers: { authorization: `Bearer ${bearer}`, accept: 'application/x-ndjson' } });
    const response = await exported(await root());
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const lines = (await response.text()).trimEnd().split('\n');
    const { body } = await page({ actor: email });
    expect(lines.map((line) => JSON.parse(line) as Event)).toEqual(body.accessEvents);
    expect(body.accessEvents.map(({ record }) => record)).toEqual(ids.toReversed());
    expect((await exported(token)).status).toBe(403);
  });

  test('200: a refused signature or token is recorded once a minute for a key that exists (D162)', async () => {
    const { key, secret } = await keyFrom('create', 'refused', '--scopes', 'registry');
    const asking = (given: string, id = key) =>
      call({ ...dev, apiKeys: { it: { key: id, secret: given, scopes: [] } } }, 'registry', {
        key: 'it',
        path: '/physicians?limit=1',
      });
    expect((await asking(secret)).status).toBe(200);
    for (let n = 0; n < 3; n += 1) expect((await asking('guess')).status).toBe(401);
    const [refused, ...others] = await events({ actor: key, action: 'auth.refuse' });
    expect(refused).toMatchObject({ actorKind: 'key', outcome: 'refused', record: null });
    expect(refused?.ip).toContain('127.0.0.1');
    expect(others).toEqual([]);
    const nobody = randomUUID();
    expect((await asking('guess', nobody)).status).toBe(401);
    expect(await events({ actor: nobody })).toEqual([]);

    expect((await page({}, 'no.token.here')).status).toBe(401);
    expect((await events({ action: 'auth.refuse' })).map(({ actor }) => actor)).toContain('unknown');
  });

  test('200: who answers a work item is the key, and the person stands beside it (D162)', async () => {
    const person = freshEmail();
    const { status } = await call(dev, 'orchestrator', {
      method: 'POST',
      key: 'admin',
      path: `/orchestrator/work-items/${randomUUID()}/answer`,
      body: { answer: 'dismiss', by: person },
    });
    expect(status).toBe(404);
    expect(await events({ actor: person })).toMatchObject([
      { actor: 'admin', actorKind: 'key', action: 'item.answer', onBehalfOf: person, outcome: 'refused' },
    ]);
  });

  test('200: the days that have ended, for superadmins (D162)', async () => {
    const { status, body } = await ask(await root(), 'GET', '/v1/access-events/days?limit=1');
    expect([status, body]).toEqual([200, { days: expect.any(Array), nextCursor: null }]);
    const { token } = await newAdmin(await newTenant(), 'org_admin');
    expect((await ask(token, 'GET', '/v1/access-events/days')).status).toBe(403);
  });
});

describe('signing in', () => {
  const check = (email: string, code: string) =>
    ask(undefined, 'POST', '/v1/auth/otp/check', { email, code });

  test('leaves who came in, who was not let in, and no address that is nobody’s', async () => {
    const { id, email } = await newInvited();
    await ask(undefined, 'POST', '/v1/auth/otp/send', { email });
    const code = await eventually(async () => {
      const found = (await mailsTo(dev, email)).flatMap(({ text }) => /\b\d{6}\b/.exec(text)?.[0] ?? []);
      return found[0];
    });
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect([(await check(email, wrong)).status, (await check(email, code)).status]).toEqual([401, 200]);
    const own = { actor: email, actorKind: 'admin', record: id };
    expect(await events({ actor: email })).toMatchObject([
      { ...own, action: 'session.start', outcome: 'allowed' },
      { ...own, action: 'session.refuse', outcome: 'refused' },
    ]);

    expect((await ask(undefined, 'POST', '/v1/auth/exchange', { idToken: 'x' })).status).toBe(401);
    const stranger = freshEmail();
    expect((await check(stranger, '000000')).status).toBe(401);
    expect((await events({ action: 'session.refuse' })).map(({ actor }) => actor)).toContain('unknown');
    const [{ count }] = await sql<[{ count: string }]>`
      select count(*) from access.access_event event where event::text like ${`%${stranger}%`}
    `;
    expect(Number(count)).toBe(0);
  });
});

describe('an approval', () => {
  test('names who asked on its run and payment, and leaves one event for each request of its way', async () => {
    const approval = semaglutideFor((await newPatient(dev)).id);
    const headers = requestId();
    const { status } = await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/approve',
      body: approval,
      headers,
    });
    expect(status).toBe(200);
    const key = dev.apiKeys['approvals']!.key;
    const noted = await ofRequest(headers['x-request-id']);
    const count = (action: string) => noted.filter((event) => event.action === action);
    expect(count('prescription.approve')).toEqual([
      { actor: key, action: 'prescription.approve', record: approval.taskId, outcome: 'allowed' },
    ]);
    for (const action of ['physician.route', 'prescription.submit'])
      expect(count(action)).toMatchObject([{ actor: 'orchestrator', outcome: 'allowed' }]);
    expect(count('notification.send')).toHaveLength(1);

    // One moment is one transaction: these cost no commit of their own.
    const shared = await sql`
      select event.action from access.access_event event
      left join orchestrator.run run on run.task_id = event.record
      left join notification.delivery delivery on delivery.id::text = event.record
      where request_id = ${headers['x-request-id']}
        and event.at in (run.created_at, delivery.created_at::timestamptz(3))
      order by event.position
    `;
    expect(shared.map(({ action }: { action?: string }) => action)).toEqual([
      'prescription.approve',
      'notification.send',
    ]);

    type Runs = { runs: { taskId: string; requestedBy: string }[] };
    const { body } = await call<Runs>(dev, 'orchestrator', { path: '/orchestrator/runs' });
    expect(body.runs.find(({ taskId }) => taskId === approval.taskId)?.requestedBy).toBe(key);
    expect(
      await sql`select requested_by from orchestrator.payment where task_id = ${approval.taskId}`,
    ).toEqual([{ requestedBy: key }]);
  });

  test('leaves an event also where no run is begun for it: repeated, refused, or not for this key', async () => {
    const approval = semaglutideFor((await newPatient(dev)).id);
    await approve(dev, approval);
    const outcomes = async (body: unknown, key?: string) => {
      const headers = requestId();
      const path = '/orchestrator/approve';
      const { status } = await call(dev, 'orchestrator', {
        method: 'POST',
        path,
        body,
        headers,
        ...(key && { key }),
      });
      return [
        status,
        (await ofRequest(headers['x-request-id'])).map(({ action, outcome }) => [action, outcome]),
      ];
    };
    const noted = (outcome: string) => [['prescription.approve', outcome]];
    expect(await outcomes(approval)).toEqual([200, noted('allowed')]);
    expect(await outcomes({ ...approval, medication: 'nad' })).toEqual([409, noted('refused')]);
    expect(await outcomes({})).toEqual([400, noted('refused')]);
    expect(await outcomes(approval, 'clinic')).toEqual([403, noted('refused')]);
  });

  test('denied: the run names who asked', async () => {
    const taskId = freshTask();
    await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: { taskId } });
    const key = dev.apiKeys['approvals']!.key;
    expect(await sql`select requested_by from orchestrator.run where task_id = ${taskId}`).toEqual([
      { requestedBy: key },
    ]);
    expect(await events({ record: taskId })).toMatchObject([{ actor: key, action: 'prescription.deny' }]);
  });

  test('of a schedule: who cancelled it', async () => {
    const body = { emrPatientId: patientIn(dev, 'NY'), medication: 'semaglutide', totalRefillsAllowed: 1 };
    const post = (path: string, body?: unknown) =>
      call<{ schedule: { id: string } }>(dev, 'orchestrator', { method: 'POST', path, body });
    const { id } = (await post('/orchestrator/refill-schedules', body)).body.schedule;
    await post(`/orchestrator/refill-schedules/${id}/cancel`);
    const key = dev.apiKeys['approvals']!.key;
    expect(await sql`select requested_by from orchestrator.refill_schedule where id = ${id}`).toEqual([
      { requestedBy: key },
    ]);
    expect((await events({ record: id })).map(({ actor, action }) => [actor, action])).toEqual([
      [key, 'refill.cancel'],
      [key, 'refill.create'],
    ]);
  });
});

test('a request about a task that does not exist stores nothing of what it named', async () => {
  const typed = `${randomUUID()}@example.test`;
  const cancelling = { taskId: typed, reason: 'Changed their mind' };
  const requests: { method?: string; path: string; body?: unknown }[] = [
    { path: `/orchestrator/orders/${typed}` },
    { path: `/orchestrator/work-items/context/${typed}` },
    { method: 'POST', path: '/orchestrator/cancel', body: cancelling },
  ];
  for (const request of requests) {
    const headers = requestId();
    const { status } = await call(dev, 'orchestrator', { key: 'admin', headers, ...request });
    const noted = (await ofRequest(headers['x-request-id'])).map(({ record, outcome }) => [record, outcome]);
    expect([request.path, status, noted]).toEqual([request.path, 404, [[null, 'refused']]]);
  }
});

test('a decode names the run that was decoded', async () => {
  const approval = semaglutideFor((await newPatient(dev)).id);
  await approve(dev, approval);
  const workflowId = approvalWorkflowId(approval.taskId);
  const temporal = await openTemporal(dev);
  const { events: history } = await temporal.client.workflow.getHandle(workflowId).fetchHistory();
  const [payload] = history?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  await temporal.close();
  const response = await fetch(`${dev.services.codec}/decode`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${await adminToken(dev)}` },
    body: JSON.stringify({ payloads: [toWire(payload as Payload)] }),
  });
  expect(response.status).toBe(200);
  expect(await events({ record: workflowId })).toMatchObject([
    { actor: developmentSuperadmin.email, action: 'history.decode', outcome: 'allowed' },
  ]);
});

describe('the command line', () => {
  test('leaves what it does to keys and admins', async () => {
    const { key } = await keyFrom('create', 'events', '--scopes', 'router');
    await keyFrom('rotate', key);
    await rx('keys', 'revoke', key);
    expect(await events({ record: key })).toMatchObject(
      ['key.revoke', 'key.rotate', 'key.create'].map((action) => ({ action, actorKind: 'system', ip: null })),
    );
    const { stdout: id } = await rx('admin', 'create', freshEmail(), 'Kim');
    expect(await events({ record: id.trim() })).toMatchObject([
      { action: 'admin.create', actorKind: 'system' },
    ]);

    const { exitCode, stdout } = await rx('access', '--record', key, '--action', 'key.rotate');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('key.rotate');
    expect(stdout).not.toContain('key.create');
  });
});

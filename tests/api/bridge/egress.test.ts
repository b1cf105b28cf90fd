import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { encodeCursor } from '../../../api/cursor.js';
import { createSql, type Sql } from '../../../db/client.js';
import { publishEvent } from '../../../db/outbox.js';
import { adminToken, callAs, eventually, shared } from '../../helpers/client.js';
import type { Body } from './bridge.js';
import { newPatient } from '../../helpers/patients.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

interface SyncAttempt extends Body {
  id: string;
  status: string;
}

const dev = shared();
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  temporal = await openTemporal(dev);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});

const as = async <T = Body>(path: string, method = 'GET', token?: string) =>
  callAs<T>(dev, 'bridge', token ?? (await adminToken(dev)), { method, path });
const withRoles = (roles: Record<string, 'support' | 'org_admin'>) =>
  adminToken(dev, {
    memberships: Object.entries(roles).map(([orgId, role]) => ({ orgId, role })),
  });

/** The event of the patient directory when a patient is archived. */
async function archive(emrPatientId: string, organizationId: string = randomUUID()): Promise<void> {
  const patientId = randomUUID();
  await sql.begin((sql) =>
    publishEvent(sql, 'patients', {
      detailType: 'patient.archived',
      aggregateId: patientId,
      organizationId,
      detail: { patientId, emrPatientId, organizationId, archivedAt: new Date().toISOString() },
    }),
  );
}
const emr = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(`${dev.emr.baseUrl}${path}`, {
    ...init,
    headers: {
      authorization: `Bearer ${dev.emr.token}`,
      'content-type': 'application/fhir+json',
      'x-sandbox-bypass': '1',
    },
  });
  return { status: response.status, body: (await response.json()) as Patient };
};
const isActive = async (id: string) => (await emr(`/Patient/${id}`)).body.active;
const attemptOf = async (emrPatientId: string): Promise<SyncAttempt | undefined> => {
  const [row] = await sql<{ id: string }[]>`
    select id from bridge.emr_sync_attempts where target_resource_id = ${emrPatientId}
  `;
  return row && (await as<{ syncAttempt: SyncAttempt }>(`/emr-sync-attempts/${row.id}`)).body.syncAttempt;
};
const ended = (emrPatientId: string, status: string) =>
  eventually(async () => {
    const attempt = await attemptOf(emrPatientId);
    return attempt?.status === status && attempt;
  });
/** A row as a run would have left it, with nobody at it. */
async function rowWith(
  status: string,
  { event = 'patient.archived', minutesAgo = 0 }: { event?: string; minutesAgo?: number } = {},
): Promise<string> {
  const target = `p-${randomUUID()}`;
  const [row] = await sql<[{ id: string }]>`
    insert into bridge.emr_sync_attempts (
      idempotency_key, internal_event_name, target_resource_type, target_resource_id, status, attempts,
      next_attempt_at, created_at
    )
    values (
      ${`test:${target}`}, ${event}, 'Patient', ${target}, ${status}, 1, now() + interval '1 day',
      now() - make_interval(mins => ${minutesAgo})
    )
    returning id
  `;
  return row.id;
}

describe('an archived patient', () => {
  test('is inactive in the EMR without the help of a sweep, with all else in the record as it was', async () => {
    const { id } = await newPatient(dev, 'NY', (complete) => ({ ...complete, active: true, language: 'en' }));
    const before = await emr(`/Patient/${id}`);
    const startedAt = performance.now();
    await archive(id);
    await eventually(async () => (await isActive(id)) === false);
    // A sweep finds a row 30 s late.
    expect(performance.now() - startedAt).toBeLessThan(25_000);
    const { meta: _before, ...kept } = before.body;
    const { meta: _after, ...after } = (await emr(`/Patient/${id}`)).body;
    expect(after).toEqual({ ...kept, active: false });
    expect(await ended(id, 'succeeded')).toEqual({
      id: expect.any(String),
      idempotency_key: `emr-sync:patient.archived:emrPatientId:${id}:active=false`,
      internal_event_name: 'patient.archived',
      organization_id: expect.any(String),
      target_resource_type: 'Patient',
      target_resource_id: id,
      status: 'succeeded',
      attempts: 1,
      emr_response_status: 200,
      last_error: null,
      created_at: expect.stringMatching(/\.\d{3}Z$/),
      updated_at: expect.stringMatching(/\.\d{3}Z$/),
    });
  });

  test('whose event comes again is left alone: one row, one attempt, one version', async () => {
    const { id } = await newPatient(dev);
    await archive(id);
    const first = await ended(id, 'succeeded');
    const version = (await emr(`/Patient/${id}`)).body.meta?.versionId;
    await archive(id);
    await eventually(async () => {
      const [open] = await sql<{ count: number }[]>`
        select count(*)::int as count from patients.event_delivery join patients.outbox on id = event_id
        where consumer = 'bridge' and state = 'delivered' and detail ->> 'emrPatientId' = ${id}
      `;
      return open?.count === 2;
    });
    expect(await attemptOf(id)).toEqual(first);
    expect((await emr(`/Patient/${id}`)).body.meta?.versionId).toBe(version);
  });

  test('that the EMR does not know is parked as failed, and a retry revives it', async () => {
    const id = `unknown-${randomUUID()}`;
    await archive(id);
    const failed = await ended(id, 'failed');
    expect(failed).toMatchObject({
      attempts: 1,
      emr_response_status: 404,
      last_error: 'not found: the EMR answered 404',
    });
    const workflowId = `emr-sync:${failed.id}`;
    expect(await temporal.detailsOf(workflowId)).toContain('**FAILED.** not found');

    const made = { resourceType: 'Patient', id, active: true };
    expect((await emr(`/Patient/${id}`, { method: 'PUT', body: JSON.stringify(made) })).status).toBeLessThan(
      300,
    );
    const { status, body } = await as<{ syncAttempt: SyncAttempt }>(
      `/emr-sync-attempts/${failed.id}/retry`,
      'POST',
    );
    expect([status, body.syncAttempt.status]).toEqual([200, 'pending']);
    expect(await ended(id, 'succeeded')).toMatchObject({
      attempts: 2,
      emr_response_status: 200,
      last_error: null,
    });
    expect(await isActive(id)).toBe(false);
  });

  test('without an EMR id has nothing to become inactive, and an event that cannot be read is given up', async () => {
    for (const [detail, state] of [
      [{ emrPatientId: null }, 'delivered'],
      [{ emrPatientId: 7 }, 'dead'],
    ] as const) {
      const aggregateId = randomUUID();
      await sql.begin((sql) =>
        publishEvent(sql, 'patients', {
          detailType: 'patient.archived',
          aggregateId,
          detail,
        }),
      );
      await eventually(async () => {
        const [row] = await sql<{ state: string }[]>`
          select state from patients.event_delivery where consumer = 'bridge' and aggregate_id = ${aggregateId}
        `;
        return row?.state === state;
      });
    }
  });

  test('leaves no EMR id in a workflow id', async () => {
    const { id } = await newPatient(dev);
    await archive(id);
    const { id: attemptId } = await ended(id, 'succeeded');
    expect(await temporal.idsOf(`WorkflowId = "emr-sync:${attemptId}"`)).toHaveLength(1);
    for await (const { workflowId } of temporal.client.workflow.list({ query: 'TaskQueue = "bridge"' }))
      expect(workflowId).not.toContain(id);
  });
});

describe('GET /emr-sync-attempts', () => {
  interface List {
    syncAttempts: SyncAttempt[];
    nextCursor: string | null;
  }
  test('200: newest first, in pages that leave nothing out, filtered by status and event', async () => {
    const event = `test.${randomUUID().slice(0, 8)}`;
    const ids = await Promise.all(
      ['failed', 'abandoned', 'failed', 'succeeded', 'failed'].map((status, index) =>
        rowWith(status, { event, minutesAgo: index }),
      ),
    );
    const found: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { body: List } = await as<List>(
        `/emr-sync-attempts?event=${event}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      found.push(...page.body.syncAttempts.map(({ id }) => id));
      cursor = page.body.nextCursor;
    }
    expect(found).toEqual(ids);
    const failed = await as<List>(`/emr-sync-attempts?event=${event}&status=failed`);
    expect(failed.body.syncAttempts.map(({ id }) => id)).toEqual([ids[0], ids[2], ids[4]]);
  });

  test.each([
    'status=unknown',
    'limit=none',
    'cursor=none',
    `cursor=${encodeCursor({ createdAt: '0000-01-01T00:00:00Z', id: randomUUID() })}`,
  ])('400 for %s', async (query) => {
    const { status, body } = await as(`/emr-sync-attempts?${query}`);
    expect([status, body['error']]).toEqual([400, 'validation_failed']);
  });

  test('a support sees what belongs to the own organizations, here and one by one; nobody’s is the superadmins’', async () => {
    const [own, foreign] = [randomUUID(), randomUUID()];
    const patients = [await newPatient(dev), await newPatient(dev)];
    await Promise.all([archive(patients[0]!.id, own), archive(patients[1]!.id, foreign)]);
    const [mine, theirs] = await Promise.all(patients.map(({ id }) => ended(id, 'succeeded')));
    const nobodys = await rowWith('failed');
    expect(mine).toMatchObject({ organization_id: own });

    const token = await withRoles({ [own]: 'support', [foreign]: 'org_admin' });
    const list = await as<List>('/emr-sync-attempts', 'GET', token);
    expect(list.body.syncAttempts.map(({ id }) => id)).toEqual([mine!.id]);
    const statuses = async (token?: string) =>
      Promise.all(
        [mine!.id, theirs!.id, nobodys].map(
          async (id) => (await as(`/emr-sync-attempts/${id}`, 'GET', token)).status,
        ),
      );
    expect(await statuses(token)).toEqual([200, 404, 404]);
    expect(await statuses()).toEqual([200, 200, 200]);
  });
});

describe('GET /emr-sync-attempts/:id', () => {
  test.each([randomUUID(), 'no-uuid'])('404 for the unknown id %s', async (id) => {
    const { status, body } = await as(`/emr-sync-attempts/${id}`);
    expect([status, body]).toEqual([404, { error: 'not_found', message: 'Sync attempt not found' }]);
  });
});

describe('POST /emr-sync-attempts/:id/retry', () => {
  const retry = (id: string) => as(`/emr-sync-attempts/${id}/retry`, 'POST');

  test.each(['failed', 'abandoned'])(
    '200 for one that is %s: it is pending and tried at once',
    async (was) => {
      const id = await rowWith(was);
      expect((await retry(id)).body).toMatchObject({ syncAttempt: { id, status: 'pending' } });
      // Its patient does not exist, so the attempt ends as it would at first.
      await eventually(async () => {
        const { syncAttempt } = (await as<{ syncAttempt: SyncAttempt }>(`/emr-sync-attempts/${id}`)).body;
        return syncAttempt.status === 'failed' && syncAttempt['attempts'] === 2;
      });
    },
  );

  test.each(['pending', 'succeeded'])('409 for one that is %s', async (status) => {
    expect(await retry(await rowWith(status))).toMatchObject({
      status: 409,
      body: { error: 'conflict', message: 'Only a failed or abandoned sync attempt can be retried' },
    });
  });

  test.each([randomUUID(), 'no-uuid'])('404 for the unknown id %s', async (id) => {
    expect((await retry(id)).status).toBe(404);
  });
});

describe('POST /admin/workers', () => {
  test('200 for emr-sync/tick once what is due and had no run has been tried; what waits is left waiting', async () => {
    const [due, waiting] = [await rowWith('pending'), await rowWith('pending')];
    await sql`update bridge.emr_sync_attempts set next_attempt_at = now() where id = ${due}`;
    const { status, body } = await as('/admin/workers/emr-sync/tick', 'POST');
    expect([status, body]).toEqual([200, { processed: expect.any(Number) }]);
    expect(body['processed']).toBeGreaterThan(0);
    const tried = await as<{ syncAttempt: SyncAttempt }>(`/emr-sync-attempts/${due}`);
    expect(tried.body.syncAttempt).toMatchObject({ status: 'failed', attempts: 2 });
    const left = await as<{ syncAttempt: SyncAttempt }>(`/emr-sync-attempts/${waiting}`);
    expect(left.body.syncAttempt).toMatchObject({ status: 'pending', attempts: 1 });
    // Later ticks and sweeps of this system would find it a day from now.
    await sql`update bridge.emr_sync_attempts set status = 'abandoned' where id = ${waiting}`;
  });

  test('200 for outbox/tick', async () => {
    expect(await as('/admin/workers/outbox/tick', 'POST')).toMatchObject({
      status: 200,
      body: { processed: expect.any(Number) },
    });
  });

  test('503 for outbox/tick, to be tried again later, while another pass does not end', async () => {
    const answer = await sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(hashtextextended('bridge_outbox', 0))`;
      const token = await adminToken(dev);
      return callAs<Body>(dev, 'bridge', token, { method: 'POST', path: '/admin/workers/outbox/tick' });
    });
    expect([answer.status, answer.body]).toEqual([
      503,
      { error: 'unavailable', message: 'The pass has not been made yet' },
    ]);
    expect(answer.headers.get('retry-after')).toBe('10');
  });

  test('200 for outbox/redrive with state dead: an entry that was given up is shipped', async () => {
    const [row] = await sql<[{ id: string }]>`
      insert into bridge.outbox (source, detail_type, aggregate_id, detail, dead_at, attempts)
      values ('bridge', 'emr.test.happened', ${randomUUID()}, '{}', '2020-01-02T00:00:00Z', 20)
      returning id
    `;
    const { status, body } = await callAs<Body>(dev, 'bridge', await adminToken(dev), {
      method: 'POST',
      path: '/admin/workers/outbox/redrive',
      body: { from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z', state: 'dead' },
    });
    expect([status, body]).toEqual([200, { processed: 1 }]);
    await eventually(async () => {
      const [shipped] =
        await sql`select 1 from bridge.outbox where id = ${row.id} and shipped_at is not null`;
      return shipped !== undefined;
    });
  });

  test.each([
    ['no window', {}],
    [
      'a state that nothing is driven by',
      { from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z', state: 'pending' },
    ],
    ['a window that is none', { from: 'yesterday', to: 'today' }],
    ['a time that is before all dates', { from: '0000-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z' }],
  ])('400 for outbox/redrive with %s', async (_name, body) => {
    const answer = await callAs<Body>(dev, 'bridge', await adminToken(dev), {
      method: 'POST',
      path: '/admin/workers/outbox/redrive',
      body,
    });
    expect([answer.status, answer.body['error']]).toEqual([400, 'validation_failed']);
  });
});

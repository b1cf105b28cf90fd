import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { defaultStateDir } from '../../dev/dev-json.js';
import { loadSecrets } from '../../dev/start/secrets.js';
import { eventually, shared } from '../helpers/client.js';
import { openTemporal, type TemporalView } from '../helpers/temporal-view.js';

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

type State = 'delivered' | 'dead' | 'pending';
/** An event of the bridge, shipped so many days ago, and how far its delivery is; nobody is told of it. */
async function event(days: number, state: State): Promise<string> {
  const [row] = await sql<{ id: string; sequence: string; aggregateId: string }[]>`
    insert into bridge.outbox (source, detail_type, aggregate_id, detail, shipped_at)
    values ('bridge', 'emr.test.aged', ${randomUUID()}, '{"a":1}', now() - make_interval(days => ${days}))
    returning id, sequence, aggregate_id
  `;
  const { id, sequence, aggregateId } = row!;
  await sql`
    insert into bridge.event_delivery (event_id, consumer, aggregate_id, sequence, state, due_at)
    values (${id}, 'sink', ${aggregateId}, ${sequence}, ${state}, now() + interval '1 year')
  `;
  return id;
}
const eventIs = async (id: string) => {
  const [row] = await sql<{ detail: unknown; deliveries: number }[]>`
    select detail, (select count(*)::int from bridge.event_delivery where event_id = outbox.id) as deliveries
    from bridge.outbox
    where id = ${id}
  `;
  return row ?? 'gone';
};

async function webhook(days: number, isSigned: boolean): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into bridge.emr_webhook_events (raw_body, signature_valid, received_at)
    values ('old', ${isSigned}, now() - make_interval(days => ${days}))
    returning id
  `;
  return row!.id;
}
async function refusedWebhook(days: number): Promise<string> {
  const body = randomUUID();
  await sql`
    insert into router.webhook_log (webhook, accepted, status, body, received_at)
    values ('pharmacy_a', false, 404, ${body}, now() - make_interval(days => ${days}))
  `;
  return body;
}
const refusedLeft = (bodies: string[]) =>
  Promise.all(
    bodies.map(async (body) => (await sql`select from router.webhook_log where body = ${body}`).length > 0),
  );
async function call(days: number): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    insert into orchestrator.downstream_call (type, resource, method, success, duration_ms, created_at)
    values ('test', 'test', 'GET', true, 1, now() - make_interval(days => ${days}))
    returning id
  `;
  return row!.id;
}
async function notification(days: number): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into notification.delivery (
      id, client_id, body_hash, notification_type, asked_channels, status, created_at, finished_at, variables
    )
    values (${id}, 'test', 'hash', 'delivered', '{email}', 'sent', now() - make_interval(days => ${days}), now(), '{}')
  `;
  return id;
}
const canGoAgain = async (id: string) =>
  (await sql`select from notification.delivery where id = ${id} and variables is not null`).length > 0;
async function action(days: number): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into worklist.order_history (id, task_key, at, actor, action, note)
    values (${id}, ${id}, now() - make_interval(days => ${days}), 'root', 'cancel', 'A word')
  `;
  return id;
}
async function attempt(days: number): Promise<string> {
  const id = randomUUID();
  await sql`
    with submission as (
      insert into router.submission (
        id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
        request_payload, payload_hash, claim_id, outcome, status
      )
      values (${id}, 'test', 'test', ${id}, '', 'NY', 'x', 'pharmacy_a', false, '{}', 'hash', ${id}, 'rejected', 'failed')
      returning id
    ), callback as (
      insert into router.callback (id, submission_id, sequence, kind, state, payload)
      select id, id, 1, 'initial', 'delivered', '{}' from submission
      returning id
    )
    insert into router.callback_attempt (id, callback_id, at, duration_ms)
    select id, id, now() - make_interval(days => ${days}), 1 from callback
  `;
  return id;
}
/** Closed so many days ago, with a word in its history. */
async function workItem(days: number): Promise<string> {
  const id = randomUUID();
  await sql`
    with item as (
      insert into worklist.work_item
        (id, source, kind, reason, title, refers_to, answers, opened_at, due_at, closed_at, closed_by)
      values (
        ${id}, 'test', 'event_dead', 'test', 'Test', '{}', '{dismiss}', now(), now(),
        now() - make_interval(days => ${days}), 'system'
      )
      returning id
    )
    insert into worklist.history (item_id, actor, action, note) select id, 'root', 'noted', 'A word' from item
  `;
  return id;
}
async function recovery(days: number): Promise<string> {
  const id = randomUUID();
  await sql`
    with recovery as (
      insert into orchestrator.recovery (id, step, per_minute, state, requested_by, ended_at)
      values (${id}, 'payment', 60, 'completed', 'test', now() - make_interval(days => ${days}))
      returning id
    )
    insert into orchestrator.recovery_item (recovery_id, position, run_id, reference)
    select id, 1, id, 'test' from recovery
  `;
  return id;
}
const left = async (table: string, ids: string[]): Promise<boolean[]> => {
  const rows = await sql<{ id: string }[]>`select id from ${sql(table)} where id = any(${ids}::uuid[])`;
  return ids.map((id) => rows.some((row) => row.id === id));
};

describe('the schedule «retention»', () => {
  test('runs once a day, and takes what is past its age and nothing else', async () => {
    const webhooks = [await webhook(31, false), await webhook(29, false), await webhook(500, true)];
    const refused = [await refusedWebhook(31), await refusedWebhook(29)];
    const calls = [await call(401), await call(399)];
    const notifications = [await notification(401), await notification(399)];
    const messages = [await notification(91), await notification(89)];
    const actions = [await action(401), await action(399)];
    const attempts = [await attempt(401), await attempt(399)];
    const items = [await workItem(401), await workItem(399)];
    const recoveries = [await recovery(401), await recovery(399)];
    const events = {
      delivered: [await event(31, 'delivered'), await event(8, 'delivered'), await event(6, 'delivered')],
      // An undelivered event can be redriven as long as its row exists; one under way is not touched.
      dead: [await event(31, 'dead'), await event(8, 'dead')],
      pending: await event(31, 'pending'),
    };

    const schedule = temporal.client.schedule.getHandle('retention');
    expect((await schedule.describe()).spec.calendars).toHaveLength(1);
    await schedule.trigger();
    const whole = { detail: { a: 1 }, deliveries: 1 };
    // The last of the rules.
    await eventually(async () => !(await left('orchestrator.recovery', recoveries))[0]);

    expect(await left('bridge.emr_webhook_events', webhooks)).toEqual([false, true, true]);
    expect(await refusedLeft(refused)).toEqual([false, true]);
    expect(await left('orchestrator.downstream_call', calls)).toEqual([false, true]);
    expect(await left('notification.delivery', notifications)).toEqual([false, true]);
    expect(await Promise.all(messages.map(canGoAgain))).toEqual([false, true]);
    expect(await left('worklist.order_history', actions)).toEqual([false, true]);
    expect(await left('router.callback_attempt', attempts)).toEqual([false, true]);
    expect(await left('worklist.work_item', items)).toEqual([false, true]);
    expect(await left('orchestrator.recovery', recoveries)).toEqual([false, true]);
    expect(await Promise.all(events.delivered.map(eventIs))).toEqual([
      'gone',
      { detail: null, deliveries: 1 },
      whole,
    ]);
    expect(await Promise.all(events.dead.map(eventIs))).toEqual(['gone', whole]);
    expect(await eventIs(events.pending)).toEqual(whole);

    const [workflowId] = await temporal.idsOf("WorkflowType = 'applyRetention'");
    const counts = (await temporal.client.workflow.getHandle(workflowId!).result()) as Record<string, number>;
    expect(counts['outboxDetails']).toBeGreaterThan(0);
    expect(counts['unsignedWebhooks']).toBeGreaterThan(0);
    expect(await temporal.detailsOf(workflowId!)).toContain(
      `- **${counts['outboxEntries']}** shipped events with their deliveries, older than 30 days: deleted`,
    );
  });

  test('what is past its age is not driven again', async () => {
    const id = await event(20, 'delivered');
    await sql`update bridge.outbox set detail = null, time = '2002-01-01T10:00Z' where id = ${id}`;
    const { redrive } = await import('../../db/redrive.js');
    const window = { from: new Date('2002-01-01T09:00Z'), to: new Date('2002-01-01T11:00Z') };
    expect(await redrive(sql, 'bridge', window)).toBe(0);
    expect(await sql`select state from bridge.event_delivery where event_id = ${id}`).toEqual([
      { state: 'delivered' },
    ]);
  });
});

describe("the retention's role", () => {
  /** The database as a role of the product sees it. */
  async function as(role: 'retention' | 'bridge', work: (sql: Sql) => Promise<unknown>): Promise<unknown> {
    const url = new URL(dev.databaseUrl);
    url.username = `scriptrail_${role}`;
    url.password = loadSecrets(defaultStateDir())[`${role}DatabasePassword`];
    const own = createSql(url.href, { applicationName: 'test', max: 1 });
    try {
      return await work(own);
    } finally {
      await own.end();
    }
  }

  test('deletes and overwrites nothing that the EMR signed, unless it is erased', async () => {
    const id = await webhook(500, true);
    await expect(
      as('retention', (sql) => sql`delete from bridge.emr_webhook_events where id = ${id}`),
    ).rejects.toThrow('DELETE of emr_webhook_events is not allowed');
    await expect(
      as('retention', (sql) => sql`update bridge.emr_webhook_events set raw_body = 'x' where id = ${id}`),
    ).rejects.toThrow('UPDATE of emr_webhook_events is not allowed');
  });

  const refused: [string, (sql: Sql) => Promise<unknown>][] = [
    ['reads no key', (sql) => sql`select * from access.api_key`],
    ['deletes no order', (sql) => sql`delete from router.submission`],
    ['deletes no snapshot', (sql) => sql`delete from patients.intake_snapshots`],
    ['changes no amount', (sql) => sql`update intake.submission set plan_amount_cents = 1`],
    ['changes no number', (sql) => sql`update patients.patient_directory set mrn = mrn`],
  ];
  test.each(refused)('%s', async (_what, run) => {
    await expect(as('retention', run)).rejects.toThrow('permission denied');
  });

  test('is nobody else: a service deletes nothing and erases nothing', async () => {
    for (const run of [
      (sql: Sql) => sql`delete from bridge.emr_webhook_events`,
      (sql: Sql) => sql`delete from bridge.outbox`,
      (sql: Sql) => sql`update bridge.emr_webhook_events set raw_body = '', erased_at = now()`,
    ])
      await expect(as('bridge', run)).rejects.toThrow('permission denied');
  });
});

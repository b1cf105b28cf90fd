import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ScheduleHandle, ScheduleOverlapPolicy } from '@temporalio/client';
import type { DevJson } from '../../../dev/dev-json.js';
import { readDevJson } from '../../../dev/dev-json.js';
import { createSql, type Sql } from '../../../db/client.js';
import { eventually, sandbox } from '../../helpers/client.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { type Order, submissionIdOf } from '../../api/orchestrator/approvals.js';
import { checkRefills, dayFromToday, dueSchedules } from '../../api/orchestrator/refills.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';

/** A day of refills as the tests have it, three pages of them; 2,000 are for the bench. */
const refills = 45;

let testSystem: TestSystem;
let dev: DevJson;
let sql: Sql;
let temporal: TemporalView;
let daily: ScheduleHandle;
beforeAll(async () => {
  testSystem = await startTestSystem({ split: true });
  dev = testSystem.system.dev;
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  temporal = await openTemporal(dev, testSystem.stateDir);
  daily = temporal.client.schedule.getHandle('daily-refill-check');
});
afterAll(async () => {
  await sql.end();
  await temporal.close();
  await testSystem.stop();
});

const checksThat = async (query: string) => {
  const { count } = await temporal.client.workflow.count(`WorkflowType = "refillCheck" and ${query}`);
  return count;
};
const ended = () => eventually(async () => (await checksThat('ExecutionStatus = "Running"')) === 0);

/** Triggers the daily check until two have started: triggers within one second are one run. */
async function triggerTwoAtOnce(): Promise<void> {
  const from = new Date(Date.now() - 1_000).toISOString();
  for (let checks = 0; checks < 2; checks = await checksThat(`StartTime > "${from}"`))
    await daily.trigger(ScheduleOverlapPolicy.ALLOW_ALL);
}

/** How often each refill was ordered and charged, by what the pharmacies and the processor hold. */
async function effects(schedules: readonly string[]) {
  const { orders } = await sandbox<{ orders: Order[] }>(dev, '/orders');
  const { charges } = await sandbox<{ charges: { status: string; metadata: Record<string, string> }[] }>(
    dev,
    '/charges',
  );
  const references = schedules.map((id) => `refill-${id}-1`);
  const ordered = count(orders.map(({ body }) => String(body['externalId'] ?? body['reference'])));
  const charged = count(
    charges.filter(({ status }) => status === 'succeeded').map(({ metadata }) => metadata['task_id'] ?? ''),
  );
  return references.map((reference) => ({
    orders: ordered.get(submissionIdOf(dev, reference)) ?? 0,
    charges: charged.get(reference) ?? 0,
  }));
}

function count(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const once = { orders: 1, charges: 1 };
const sentOf = async (schedules: readonly string[]) =>
  sql<{ refillsSent: number; nextFillDate: string }[]>`
    select refills_sent, next_fill_date from orchestrator.refill_schedule
    where id = any(${sql.array([...schedules])}::uuid[])
  `;

test('the schedule daily-refill-check runs at 06:00 in the business time zone, skips overlaps and makes up for a day', async () => {
  const { spec, policies, state, action } = await daily.describe();
  expect(spec.calendars).toMatchObject([{ hour: [{ start: 6, end: 6 }], minute: [{ start: 0, end: 0 }] }]);
  expect([spec.timezone ?? 'UTC', policies.overlap, policies.catchupWindow]).toEqual([
    'UTC',
    'SKIP',
    86_400_000,
  ]);
  expect([state.paused, action.workflowType]).toEqual([false, 'refillCheck']);
});

test(`two checks triggered at once on ${refills} due schedules order and charge each refill exactly once`, async () => {
  const schedules = await dueSchedules(sql, dev, refills);
  await triggerTwoAtOnce();
  await ended();
  expect(await effects(schedules)).toEqual(schedules.map(() => once));
  const expected = { refillsSent: 1, nextFillDate: dayFromToday(27) };
  expect(await sentOf(schedules)).toEqual(schedules.map(() => expected));
  const [results] = await sql<{ processed: number; refused: number; open: number }[]>`
    select count(*) filter (where processed)::int as processed,
      count(*) filter (where reason in ('already_running', 'not_due'))::int as refused,
      count(*) filter (where processed is null)::int as open
    from orchestrator.refill_check_result where schedule_id = any(${sql.array(schedules)}::uuid[])
  `;
  expect(results).toMatchObject({ processed: refills, open: 0 });
  expect(results?.refused).toBeGreaterThan(0);
});

test('workers killed three times in the middle of two overlapping checks change nothing about that', async () => {
  const schedules = await dueSchedules(sql, dev, 30);
  const done = async () => (await effects(schedules)).filter(({ orders }) => orders > 0).length;
  await triggerTwoAtOnce();
  const strokes: number[] = [];
  for (const after of [2, 8, 15]) {
    strokes.push(await eventually(async () => (await done()) >= after && done()));
    const killed = dev.pids.workers;
    process.kill(killed, 'SIGKILL');
    await eventually(async () => dev.pids.workers !== killed);
  }
  await ended();
  // The kills came while there was work left.
  for (const stroke of strokes) expect(stroke).toBeLessThan(schedules.length);
  expect(await effects(schedules)).toEqual(schedules.map(() => once));
  expect((await sentOf(schedules)).map(({ refillsSent }) => refillsSent)).toEqual(schedules.map(() => 1));
});

test('POST /orchestrator/refill-check answers 500 when the schedules cannot be listed for ten seconds', async () => {
  await sql.begin(async (locking) => {
    await locking`lock table orchestrator.refill_schedule in access exclusive mode`;
    const { status, headers, body } = await checkRefills(dev);
    expect([status, body]).toEqual([500, { error: 'The due refill schedules could not be listed' }]);
    expect([headers.get('error-code'), headers.get('error-retryable')]).toEqual(['unavailable', 'true']);
  });
});

test('a pause that an operator set is kept when the workers start again, and can be lifted', async () => {
  await daily.pause('stocktaking');
  const killed = dev.pids.workers;
  process.kill(killed, 'SIGKILL');
  await eventually(async () => readDevJson(testSystem.stateDir).pids.workers !== killed);
  // The new workers have updated the schedule once they run.
  const schedules = await dueSchedules(sql, dev, 1);
  expect((await checkRefills(dev)).status).toBe(200);
  expect(await effects(schedules)).toEqual([once]);
  const { state } = await daily.describe();
  expect([state.paused, state.note]).toEqual([true, 'stocktaking']);
  await daily.unpause();
  expect((await daily.describe()).state.paused).toBe(false);
});

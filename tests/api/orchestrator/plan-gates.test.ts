import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Queryable, type Sql } from '../../../db/client.js';
import { changeNextRefills } from '../../../db/orchestrator/refill-schedules.js';
import { changeStatus } from '../../../db/orchestrator/schedule-status.js';
import { adminToken, call, callAs, eventually, mailboxOf, shared } from '../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../helpers/patients.js';
import { ordersOf, runsOf } from './approvals.js';
import { reroute } from './exceptions.js';
import { asks, ladder, type Plan, planNow, plansAt, runningPlan } from './plans.js';
import { dayFromToday } from './refills.js';

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 })));
afterAll(() => sql.end());

const desk = async <T>(path: string, body?: unknown) =>
  callAs<T>(dev, 'worklist', await adminToken(dev), {
    path: `/v1/work-items${path}`,
    ...(body === undefined ? {} : { method: 'POST', body }),
  });
type Item = { id: string; references: Record<string, string> };
/** A plan whose fill was due and nothing held, and that failed since no pharmacy serves the state. */
async function failedFill() {
  const patient = await newPatient(dev, 'CA');
  const plan = await runningPlan({ emrPatientId: patient.id, phases: [{ ...ladder[1], fills: 3 }] });
  const item = await eventually(async () => {
    const { body } = await desk<{ workItems: Item[] }>('?kind=refill_failed&state=open&limit=200');
    return body.workItems.find(({ references }) => references['scheduleId'] === plan.id);
  });
  return { patient, plan, item, reference: `refill-${plan.id}-2` };
}
const attempts = async ({ id }: Plan) => (await runsOf(dev, `refill-${id}`)).length;

describe('a gate that closes after a fill has failed', () => {
  test('holds the fill that a person tries again or orders at another pharmacy', async () => {
    const { plan, item, reference } = await failedFill();
    await plansAt(`/${plan.id}/check-ins`, { answers: {}, flagged: true });
    expect(asks(await planNow(plan))).toEqual(['decision:flagged']);
    const given = [
      await desk(`/${item.id}/answer`, { answer: 'try_again' }),
      await desk(`/${item.id}/answer`, { answer: 'reroute', data: { pharmacy: 'pharmacy_b' } }),
    ];
    expect(given.map(({ status }) => status)).not.toContain(200);
    const { status, body } = await reroute(dev, { taskId: `refill-${plan.id}`, pharmacy: 'pharmacy_b' });
    expect([status, body]).toEqual([409, { error: 'Plan is waiting' }]);
    const ordered = await Promise.all([reference, `${reference}#2`].map((each) => ordersOf(dev, each)));
    expect([await attempts(plan), ordered]).toEqual([1, [[], []]]);
  });

  test('holds it though no check has judged the gate since', async () => {
    const { plan, item } = await failedFill();
    const yesterday = dayFromToday(-1);
    await sql`update orchestrator.refill_schedule set next_fill_date = ${yesterday} where id = ${plan.id}`;
    await sql`update orchestrator.plan set prescribed_until = ${yesterday} where id = ${plan.id}`;
    expect((await desk(`/${item.id}/answer`, { answer: 'try_again' })).status).not.toBe(200);
    expect(await attempts(plan)).toBe(1);
  });
});

const day = { today: dayFromToday(0), timeZone: 'UTC' };

test.each<[string, (sql: Queryable, id: string) => Promise<unknown>]>([
  ['moved', (sql, id) => changeNextRefills(sql, id, { nextFillDate: dayFromToday(10) }, 'key')],
  ['paused', (sql, id) => changeStatus(sql, id, { from: ['active'], to: 'paused', day, requestedBy: 'key' })],
  [
    'cancelled',
    (sql, id) => changeStatus(sql, id, { from: ['active'], to: 'cancelled', day, requestedBy: 'key' }),
  ],
])('a fill that is tried again, and %s before its run claims it, is not ordered', async (_what, change) => {
  const { patient, plan, item, reference } = await failedFill();
  await saveCard(dev, patient);
  const { answered } = await sql.begin(async (changing) => {
    const [row] = await changing<{ pid: number }[]>`
      select pg_backend_pid() as pid from orchestrator.refill_schedule where id = ${plan.id} for update
    `;
    await changeInEmr(dev, patient, (record) => void (record.address![0]!.state = 'NY'));
    const answered = desk(`/${item.id}/answer`, { answer: 'try_again' });
    await eventually(async () => {
      const claims = await sql`
        select from pg_stat_activity
        where ${row!.pid}::int = any(pg_blocking_pids(pid)) and query like '%ship_to_fills%for update%'
      `;
      return claims.length > 0;
    });
    await change(changing, plan.id);
    return { answered };
  });
  expect((await answered).status).toBe(409);
  expect([await attempts(plan), await ordersOf(dev, reference)]).toEqual([1, []]);
});

test('the timeline of a plan’s fills shows what its patient was told before them', async () => {
  const patient = await newPatient(dev);
  await saveCard(dev, patient);
  const plan = await runningPlan({ emrPatientId: patient.id });
  await eventually(async () => (await mailboxOf(dev, patient.email)).length === 1);
  await plansAt(`/${plan.id}/check-ins`, { answers: {} });
  await eventually(async () => (await planNow(plan)).fillsSent === 2);
  const path = `/orchestrator/timeline/refill-${plan.id}`;
  const { body } = await call<{ entries: { kind: string; text: string }[] }>(dev, 'orchestrator', { path });
  const told = body.entries.filter(({ kind, text }) => kind === 'message' && text.includes('follow_up'));
  expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('follow_up_past_due')]);
});

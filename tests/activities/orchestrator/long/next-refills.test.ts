import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { applyHoldDirections, changeDirections } from '../../../../db/orchestrator/directions.js';
import { addDecision, cancelPlanFill, countPlanFill } from '../../../../db/orchestrator/plan-changes.js';
import { lockPlan } from '../../../../db/orchestrator/plans.js';
import {
  changeNextRefills,
  findSchedule,
  insertSchedule,
  type NextRefills,
} from '../../../../db/orchestrator/refill-schedules.js';
import { refillReference, refillTaskId } from '../../../../domain/orchestrator/refills.js';
import type { OrderAddress } from '../../../../domain/orderable-patient.js';
import { ladder, runningPlan } from '../../../api/orchestrator/plans.js';
import { dayFromToday, schedulesAt } from '../../../api/orchestrator/refills.js';
import { eventually, freshTask } from '../../../helpers/client.js';
import { closeParts, db, dev } from '../../real-parts.js';
import { own } from '../steps-twice.js';

afterAll(closeParts);

const today = dayFromToday(0);
const houston = { line1: '2 Oak St', city: 'Houston', state: 'TX', zip: '77002' };
const albany = { line1: '3 Elm St', city: 'Albany', state: 'NY', zip: '12207' };

async function dueSchedule(change: NextRefills = {}) {
  const schedule = await insertSchedule(db, {
    emrPatientId: randomUUID(),
    medication: 'semaglutide',
    dosage: null,
    totalRefillsAllowed: 3,
    refillsSent: 0,
    daysSupply: 30,
    lastFillDate: dayFromToday(-27),
    nextFillDate: today,
    client: '',
    createdByTask: null,
    requestedBy: null,
  });
  await changeNextRefills(db, schedule!.id, change, 'key');
  return schedule!;
}
const shipTo = (address: OrderAddress, fills: number) => ({ shipTo: { address, fills } });
const shipToOf = async ({ id }: { id: string }) => {
  const schedule = await findSchedule(db, id);
  return [schedule?.shipTo?.state, schedule?.shipToFills];
};

const claimOf = ({ id, emrPatientId }: { id: string; emrPatientId: string }) => ({
  kind: 'refill' as const,
  reference: refillReference(id, 1),
  taskId: refillTaskId(id),
  runId: randomUUID(),
  workflowId: `refill:${id}:1`,
  detailsHash: '',
  medication: 'semaglutide',
  emrPatientId,
  dueOn: today,
});
const nothing = { completedSteps: [], warnings: [], medication: '', patientName: '', state: '' };
const ended = ({ runId, reference }: { runId: string; reference: string }, scheduleId: string | null) =>
  own.recordOutcome({
    runId,
    reference,
    result: { success: scheduleId !== null, ...nothing },
    ...(scheduleId === null ? {} : { refill: { scheduleId, n: 1 } }),
  });
const runOf = ({ runId }: { runId: string }) => db`select status from orchestrator.run where id = ${runId}`;

describe('the claim of a refill', () => {
  test('takes directions and address as its schedule has them at that moment', async () => {
    const schedule = await dueSchedule(shipTo(houston, 2));
    await changeDirections(db, schedule, { dosage: 'half', quantity: 1, daysSupply: 60 });
    expect(await own.claimTask(claimOf(schedule))).toMatchObject({
      config: { key: 'semaglutide', quantity: '1', daysSupply: 60 },
      dosage: 'half',
      shipTo: houston,
    });
  });

  test.each<[string, NextRefills]>([
    ['moved', { nextFillDate: dayFromToday(1) }],
    ['skipped', { nextFillDate: dayFromToday(30), skip: { reason: null } }],
  ])('fails for one that was %s after the check, and leaves nothing behind', async (_what, change) => {
    const schedule = await dueSchedule(change);
    const claim = claimOf(schedule);
    await expect(own.claimTask(claim)).rejects.toMatchObject({ type: 'NotDue' });
    expect(await db`select from orchestrator.task where task_id = ${claim.reference}`).toEqual([]);
    expect(await db`select from orchestrator.run where id = ${claim.runId}`).toEqual([]);
  });

  test('fails for one whose schedule was paused after the check, unless the refill had begun by then', async () => {
    const [early, begun] = [await dueSchedule(), await dueSchedule()];
    const claim = claimOf(begun);
    await own.claimTask(claim);
    await db`update orchestrator.refill_schedule set status = 'paused' where id in (${early.id}, ${begun.id})`;
    await expect(own.claimTask(claimOf(early))).rejects.toMatchObject({ type: 'NotDue' });
    expect(await db`select from orchestrator.run where task_id = ${refillTaskId(early.id)}`).toEqual([]);
    expect(await own.claimTask(claim)).toMatchObject({ config: { key: 'semaglutide' } });
  });

  test('fails for one whose schedule was cancelled, unless the refill had begun by then', async () => {
    const [early, begun] = [await dueSchedule(), await dueSchedule()];
    const claim = claimOf(begun);
    await own.claimTask(claim);
    await db`update orchestrator.refill_schedule set status = 'cancelled' where id in (${early.id}, ${begun.id})`;
    await expect(own.claimTask(claimOf(early))).rejects.toMatchObject({ type: 'TaskConflict' });
    expect(await own.claimTask(claim)).toMatchObject({ config: { key: 'semaglutide' } });
  });

  test('of an order that exists keeps the address of the run that ordered', async () => {
    const schedule = await dueSchedule(shipTo(houston, 2));
    const first = claimOf(schedule);
    await own.claimTask(first);
    await ended(first, null);
    await changeNextRefills(db, schedule.id, shipTo(albany, 3), 'key');
    const settled = claimOf(schedule);
    expect(await own.claimTask({ ...settled, isSettled: true })).toMatchObject({ shipTo: houston });
    await ended(settled, schedule.id);
    // No fill of the other address is used up.
    expect(await shipToOf(schedule)).toEqual(['NY', 3]);
  });

  test('of an order that exists succeeds and counts though its schedule was cancelled meanwhile', async () => {
    const schedule = await dueSchedule();
    const [failed, again, settled] = [claimOf(schedule), claimOf(schedule), claimOf(schedule)];
    await own.claimTask(failed);
    await ended(failed, null);
    await db`update orchestrator.refill_schedule set status = 'cancelled' where id = ${schedule.id}`;
    await own.claimTask(again);
    expect(await runOf(again)).toEqual([]);
    for (let times = 0; times < 2; times += 1)
      expect(await own.claimTask({ ...settled, isSettled: true })).toMatchObject({
        config: { key: 'semaglutide' },
      });
    await ended(settled, schedule.id);
    expect(await runOf(settled)).toEqual([{ status: 'completed' }]);
    expect(await findSchedule(db, schedule.id)).toMatchObject({ status: 'cancelled', refillsSent: 1 });
  });

  test('that is sent uses one fill up, however often it is recorded', async () => {
    const schedule = await dueSchedule(shipTo(houston, 2));
    const claim = claimOf(schedule);
    await own.claimTask(claim);
    await ended(claim, schedule.id);
    await ended(claim, schedule.id);
    expect(await shipToOf(schedule)).toEqual(['TX', 1]);
  });
});

describe('changed directions', () => {
  const from = (holdId: string, at: Date, changes: object) => ({
    submissionId: randomUUID(),
    holdId,
    changes,
    at,
  });
  const [earlier, later] = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];

  test('the newest of each field holds, in whatever order they arrive', async () => {
    const schedule = await dueSchedule();
    const order = { heldBy: refillReference(schedule.id, 1), taskId: refillTaskId(schedule.id) };
    await applyHoldDirections(db, order, from('h2', later, { dosage: 'newest' }));
    await changeDirections(db, schedule, { dosage: 'newer', quantity: 3 });
    await applyHoldDirections(db, order, from('h1', earlier, { dosage: 'old', quantity: 1, daysSupply: 60 }));
    expect(await findSchedule(db, schedule.id)).toMatchObject({
      dosage: 'newest',
      quantity: 3,
      daysSupply: 60,
    });
  });

  test('count once for each hold', async () => {
    const schedule = await dueSchedule();
    const order = { heldBy: refillReference(schedule.id, 1), taskId: refillTaskId(schedule.id) };
    const change = from('h1', earlier, { dosage: 'half' });
    for (let times = 0; times < 2; times += 1) await applyHoldDirections(db, order, change);
    expect(await db`select from orchestrator.direction_change where task_id = ${order.taskId}`).toHaveLength(
      1,
    );
  });

  test('for the replacement of a fill count only while its plan is in the phase of that fill', async () => {
    const { id } = await runningPlan();
    await db`
      insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, days_supply)
      select id, 2, phase, false, 'semaglutide', 30 from orchestrator.plan where id = ${id}
    `;
    const order = { heldBy: `${refillReference(id, 2)}~1`, taskId: refillTaskId(id) };
    await applyHoldDirections(db, order, from('h1', later, { dosage: 'half' }));
    await db`update orchestrator.plan set phase = phase + 1 where id = ${id}`;
    await applyHoldDirections(db, order, from('h2', later, { dosage: 'double' }));
    expect(
      await db`select hold_id from orchestrator.direction_change where task_id = ${order.taskId}`,
    ).toEqual([{ holdId: 'h1' }]);
    expect(await findSchedule(db, id)).toMatchObject({ dosage: 'half' });
  });

  test('of a phase hold again once its last fill is cancelled, and those of the phase after it do not', async () => {
    const { id } = await runningPlan();
    await db`
      insert into orchestrator.plan_fill (plan_id, n, phase, is_first, medication, days_supply)
      values (${id}, 2, 1, false, 'semaglutide', 30)
    `;
    const order = { heldBy: refillReference(id, 1), taskId: refillTaskId(id) };
    const now = async () => {
      const { dosage, quantity, daysSupply } = (await findSchedule(db, id))!;
      return [dosage, quantity, daysSupply];
    };
    const planned = (await now())[2];
    await applyHoldDirections(db, order, from('h1', later, { dosage: 'half', quantity: 2 }));
    const day = { today: dayFromToday(-30), timeZone: 'UTC' };
    await db.begin((sql) => countPlanFill(sql, id, 2, day));
    expect(await now()).toEqual([ladder[1]!.dosage, null, planned]);
    await changeDirections(db, { id }, { dosage: 'double', daysSupply: 60 });
    expect(await now()).toEqual(['double', null, 60]);
    await db.begin((sql) => cancelPlanFill(sql, id, 2, day));
    expect(await now()).toEqual(['half', 2, planned]);
    const decide = (phase: number) =>
      db.begin(async (sql) => {
        await addDecision(sql, (await lockPlan(sql, id))!, { phase, by: 'dr', reason: null }, day);
      });
    await decide(1);
    expect(await now()).toEqual(['half', 2, planned]);
    await decide(2);
    expect(await now()).toEqual([ladder[1]!.dosage, null, planned]);
  });

  test('of a request that waited for the last fill of a phase hold for the next phase', async () => {
    const { id } = await runningPlan();
    const day = { today: dayFromToday(-30), timeZone: 'UTC' };
    const asked = await db.begin(async (counting) => {
      const [row] = await counting<{ pid: number }[]>`
        select pg_backend_pid() as pid from orchestrator.refill_schedule where id = ${id} for update
      `;
      const changed = schedulesAt(dev, `/${id}`, { method: 'PATCH', body: { dosage: 'half' } });
      await eventually(async () => {
        const waiting = await db`
          select from pg_stat_activity
          where ${row!.pid}::int = any(pg_blocking_pids(pid)) and query like '%ship_to_fills%for update%'
        `;
        return waiting.length > 0;
      });
      await countPlanFill(counting, id, 2, day);
      return { changed };
    });
    const { status, body } = await asked.changed;
    expect([status, body.schedule.dosage]).toEqual([200, 'half']);
  });

  test('that arrive before an approval has its schedule hold for that schedule', async () => {
    const taskId = freshTask();
    const emrPatientId = randomUUID();
    const runId = randomUUID();
    const claim = { reference: taskId, taskId, runId, workflowId: `test:${runId}`, detailsHash: 'hash' };
    await own.claimTask({ kind: 'approve', ...claim, medication: 'semaglutide', emrPatientId });
    await applyHoldDirections(db, { heldBy: taskId, taskId }, from('h1', earlier, { dosage: 'half' }));
    const allows = { taskId, emrPatientId, medication: 'semaglutide', dosage: null };
    await own.recordOutcome({
      runId,
      reference: taskId,
      result: { success: true, ...nothing },
      allows: { ...allows, totalRefillsAllowed: 3, daysSupply: 30 },
    });
    expect(
      await db`select dosage from orchestrator.refill_schedule where created_by_task = ${taskId}`,
    ).toEqual([{ dosage: 'half' }]);
  });
});

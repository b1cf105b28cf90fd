import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import type { BulkRetryProgress } from '../../../../domain/orchestrator/bulk-retry.js';
import { rx } from '../../../cli/rx.js';
import { call, eventually, freshTask, patientIn, shared } from '../../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../../helpers/patients.js';
import {
  approve,
  chargesOf,
  messagesTo,
  ordersOf,
  runsOf,
  semaglutideFor,
  shipmentsOf,
} from '../approvals.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from '../refills.js';

interface Selected {
  selected: number;
  taskIds: string[];
  recoveryId: string | null;
  error?: string;
  details?: { path: string }[];
}

const dev = shared();
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 })));
afterAll(() => sql.end());

const path = '/orchestrator/recoveries';
const lately = () => ({
  from: new Date(Date.now() - 3_600_000).toISOString(),
  to: new Date(Date.now() + 60_000).toISOString(),
});
const dayMs = 86_400_000;
/** Moves the end of a task's run to an instant long ago. @returns a window in which no other test has a run */
async function movedBack(taskId: string) {
  const at = Date.now() - 200 * dayMs - randomInt(dayMs);
  await sql`update orchestrator.run set updated_at = ${new Date(at)} where task_id = ${taskId}`;
  return { from: new Date(at - 1_000).toISOString(), to: new Date(at + 1_000).toISOString() };
}
const recover = (body: object, key = 'admin') =>
  call<Selected>(dev, 'orchestrator', {
    method: 'POST',
    path,
    body: { ...lately(), perMinute: 600, ...body },
    key,
  });
const progressOf = (id: string | null, key = 'admin') =>
  call<BulkRetryProgress>(dev, 'orchestrator', { path: `${path}/${id}`, key });
const cancel = (id: string | null) =>
  call<BulkRetryProgress & { error?: string }>(dev, 'orchestrator', {
    method: 'POST',
    path: `${path}/${id}/cancel`,
    key: 'admin',
  });
const ended = (id: string | null) =>
  eventually(async () => {
    const { body } = await progressOf(id);
    return body.state === 'running' ? undefined : body;
  });

/** Approvals that fail at their first step, since nobody has heard of the medication yet. */
async function failedOnes(count: number) {
  // The pharmacy knows its article by the word in it.
  const medication = `semaglutide-${randomUUID()}`;
  const emrPatientId = patientIn(dev, 'WA');
  const approvals = Array.from({ length: count }, () => ({ taskId: freshTask(), medication, emrPatientId }));
  for (const approval of approvals)
    expect((await approve(dev, approval)).body.failedStep).toBe('medication_config');
  return { medication, taskIds: approvals.map(({ taskId }) => taskId) };
}
const introduce = (medication: string) => sql`
  insert into orchestrator.medication_config (type, drug_name, sig, quantity_ml, price_cents)
  values (${medication}, 'Semaglutide', 'Weekly', 2, 19900)
`;
const statusesOf = async (taskIds: readonly string[]) =>
  (await Promise.all(taskIds.map((taskId) => runsOf(dev, taskId)))).map(([run]) => run?.status);
const ordersFor = async (taskIds: readonly string[]) =>
  (await Promise.all(taskIds.map((taskId) => ordersOf(dev, taskId)))).map((orders) => orders.length);

describe('POST /orchestrator/recoveries', () => {
  test('200 of a dry run, which it is unless said otherwise: what is still failed, and nothing is done', async () => {
    const { medication, taskIds } = await failedOnes(2);
    const { status, body } = await recover({ step: 'medication_config', error: medication });
    expect([status, body]).toEqual([200, { selected: 2, taskIds, recoveryId: null }]);
    expect(await statusesOf(taskIds)).toEqual(['failed', 'failed']);
    for (const other of [{ error: 'Nothing like it' }, { error: medication, step: 'patient_details' }])
      expect((await recover({ step: 'medication_config', ...other })).body.selected).toBe(0);
    const before = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' };
    expect((await recover({ step: 'medication_config', error: medication, ...before })).body.selected).toBe(
      0,
    );
  });

  test('200: all are approved again, each with one order, those approved or denied since left alone; asked again nothing is left', async () => {
    const { medication, taskIds } = await failedOnes(6);
    const wanted = { step: 'medication_config', error: medication, dryRun: false, perMinute: 120 };
    const { status, body } = await recover(wanted);
    expect([status, body]).toEqual([200, { selected: 6, taskIds, recoveryId: expect.any(String) }]);
    await introduce(medication);
    const [, , , , denied, approved] = taskIds;
    const deny = { method: 'POST', path: '/orchestrator/deny', body: { taskId: denied } };
    expect((await call(dev, 'orchestrator', deny)).status).toBe(200);
    await approve(dev, { taskId: approved, medication, emrPatientId: patientIn(dev, 'WA') });
    const progress = await ended(body.recoveryId);
    expect(progress).toMatchObject({ state: 'completed', selected: 6, done: 6 });
    const runs = await Promise.all(taskIds.map((taskId) => runsOf(dev, taskId)));
    // The first ones may have had their turn before the medication was there: they are still failed, and asked for again.
    const again = await recover(wanted);
    expect(again.body.selected).toBe(progress.failed);
    await ended(again.body.recoveryId);
    expect((await recover({ ...wanted, dryRun: true })).body.selected).toBe(0);
    expect(progress.skipped).toBe(2);
    expect(runs[5]?.map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(await statusesOf(taskIds)).toEqual([...Array<string>(4).fill('completed'), 'denied', 'completed']);
    expect(await ordersFor(taskIds)).toEqual([1, 1, 1, 1, 0, 1]);
  });

  test('200 twice at once: two recoveries of the same make one order and one charge for each', async () => {
    const { medication, taskIds } = await failedOnes(4);
    await introduce(medication);
    const wanted = { step: 'medication_config', error: medication, dryRun: false };
    const answers = await Promise.all([recover(wanted), recover(wanted)]);
    await Promise.all(answers.map(({ body }) => ended(body.recoveryId)));
    expect(await ordersFor(taskIds)).toEqual([1, 1, 1, 1]);
    expect(await statusesOf(taskIds)).toEqual(Array(4).fill('completed'));
  });

  test('cancelled it ends with those under way, and the rest may be asked for again', async () => {
    const { medication, taskIds } = await failedOnes(4);
    await introduce(medication);
    const wanted = { step: 'medication_config', error: medication, dryRun: false };
    const { body } = await recover({ ...wanted, perMinute: 1 });
    const cancelled = await cancel(body.recoveryId);
    expect([cancelled.status, cancelled.body]).toMatchObject([200, { state: 'cancelled', selected: 4 }]);
    expect((await cancel(body.recoveryId)).status).toBe(200);
    const again = await recover(wanted);
    expect(again.body.selected).toBe(4);
    expect(await ended(again.body.recoveryId)).toMatchObject({ state: 'completed', succeeded: 4 });
    expect(await ordersFor(taskIds)).toEqual([1, 1, 1, 1]);
    expect((await cancel(again.body.recoveryId)).body.error).toBe('Recovery has completed');
  });

  test('200: of refills only those that the check would send, now and at their turn; none that is paused, skipped or moved', async () => {
    const medication = `semaglutide-${randomUUID()}`;
    const { id: emrPatientId } = await newPatient(dev, 'WA');
    await introduce(medication);
    const later = { nextFillDate: dayFromToday(10) };
    const given = { emrPatientId, medication, lastFillDate: dayFromToday(-40), ...later };
    const ids: string[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await newSchedule(dev, given)).id);
    // Unknown before they are due, the medication fails every check, also that of another test.
    await sql`delete from orchestrator.medication_config where type = ${medication}`;
    await sql`update orchestrator.refill_schedule set next_fill_date = ${dayFromToday(0)} where id = any(${ids})`;
    await checkRefills(dev, { scheduleIds: ids });
    const taskIds = ids.map((id) => `refill-${id}`);
    await eventually(async () => (await statusesOf(taskIds)).every((status) => status === 'failed'));
    const [, late, paused, skipped, moved] = ids;
    const change = (id: string | undefined, operation: string, body?: object) =>
      schedulesAt(dev, `/${id}/${operation}`, { method: 'POST', ...(body && { body }) });
    const changed = [
      await change(paused, 'pause'),
      await change(skipped, 'skip', {}),
      await change(moved, 'move', later),
    ];
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200]);

    const wanted = { step: 'medication_config', error: medication };
    const selected = taskIds.slice(0, 2).sort();
    expect((await recover(wanted)).body.taskIds.toSorted()).toEqual(selected);
    const { body } = await recover({ ...wanted, dryRun: false, perMinute: 4 });
    expect((await change(late, 'move', later)).status).toBe(200);
    await introduce(medication);
    expect(body.taskIds.toSorted()).toEqual(selected);
    expect(await ended(body.recoveryId)).toMatchObject({ selected: 2, done: 2, failed: 0 });
    expect(await ordersFor(taskIds.map((taskId) => `${taskId}-1`))).toEqual([1, 0, 0, 0, 0]);
  });

  test('payment charges again once, and orders nothing', async () => {
    const patient = await newPatient(dev, 'WA');
    const approval = semaglutideFor(patient.id);
    expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
    await saveCard(dev, patient);
    const { taskId } = approval;
    const wanted = { ...(await movedBack(taskId)), step: 'payment', dryRun: false };
    const [first, second] = await Promise.all([recover(wanted), recover(wanted)]);
    expect(first.body.taskIds).toEqual([taskId]);
    await Promise.all([ended(first.body.recoveryId), ended(second.body.recoveryId)]);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect(await ordersOf(dev, taskId)).toHaveLength(1);
    const { from } = wanted;
    expect((await recover({ from, step: wanted.step })).body.taskIds).not.toContain(taskId);
  });

  test('notification sends the message and no more, once', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const { taskId } = approval;
    expect(await messagesTo(dev, patient)).toHaveLength(2);
    // As if it had not been told, and its first key had been refused.
    await sql`
      update orchestrator.run set warnings = array_append(warnings, 'notification_failed'), notice_attempt = 1
      where task_id = ${taskId}
    `;
    const wanted = { ...(await movedBack(taskId)), step: 'notification', dryRun: false };
    const [first, second] = await Promise.all([recover(wanted), recover(wanted)]);
    expect(first.body.taskIds).toEqual([taskId]);
    await Promise.all([ended(first.body.recoveryId), ended(second.body.recoveryId)]);
    expect(await messagesTo(dev, patient)).toHaveLength(4);
    expect(await ordersOf(dev, taskId)).toHaveLength(1);
    const { from } = wanted;
    expect((await recover({ from, step: wanted.step })).body.taskIds).not.toContain(taskId);
  });

  test('shipment makes the label and no more, once, for the address that was ordered', async () => {
    const patient = await newPatient(dev, 'NY');
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const { taskId } = approval;
    // As if the shipping service had not answered.
    await sql`update orchestrator.run set warnings = array_append(warnings, 'shipment_failed') where task_id = ${taskId}`;
    await sql`delete from orchestrator.shipment where task_id = ${taskId}`;
    await changeInEmr(dev, patient, (record) => delete record.address);
    const window = await movedBack(taskId);
    const { body } = await recover({ ...window, step: 'shipment', dryRun: false });
    expect(body.taskIds).toEqual([taskId]);
    await ended(body.recoveryId);
    expect(await sql`select state from orchestrator.shipment where task_id = ${taskId}`).toEqual([
      { state: 'label_created' },
    ]);
    expect(await shipmentsOf(dev, taskId)).toHaveLength(1);
    expect(await ordersOf(dev, taskId)).toHaveLength(1);
    const { from } = window;
    expect((await recover({ from, step: 'shipment' })).body.taskIds).not.toContain(taskId);
  });

  test('403 for a key without the scope admin, 400 for what is malformed, 404 for an unknown one', async () => {
    expect((await recover({ step: 'payment' }, 'approvals')).status).toBe(403);
    for (const [wrong, field] of [
      [{ step: 'packing' }, 'step'],
      [{ step: 'payment', perMinute: 0 }, 'perMinute'],
      [{ step: 'payment', from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, 'to'],
      [{ step: 'payment', dryRun: 'yes' }, 'dryRun'],
    ] as const) {
      const { status, body } = await recover(wrong);
      expect([status, body.details?.[0]?.path]).toEqual([400, field]);
    }
    expect((await progressOf(randomUUID())).status).toBe(404);
    expect((await cancel(randomUUID())).status).toBe(404);
    expect((await progressOf(randomUUID(), 'approvals')).status).toBe(403);
  });

  test('rx recover says what it would do, does it, and says what came of it', async () => {
    const { medication, taskIds } = await failedOnes(1);
    await introduce(medication);
    const args = ['recover', '--step', 'medication_config', '--since', '2h', '--error', medication];
    const dry = await rx(...args, '--dry-run');
    expect(dry.stdout).toBe(`1 failed at medication_config and would be retried.\n  ${taskIds[0]}\n`);
    const done = await rx(...args, '--per-minute', '600');
    expect(done.stdout).toContain('completed: 1 of 1; 1 succeeded, 0 failed, 0 skipped.');
    expect(await ordersFor(taskIds)).toEqual([1]);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { createRefillCheckActivities } from '../../../../activities/orchestrator/refill-checks.js';
import { createSql } from '../../../../db/client.js';
import { cancelDunning, giveUpDunning } from '../../../../db/orchestrator/dunning.js';
import { findPayment } from '../../../../db/orchestrator/payments.js';
import { approve, semaglutideFor } from '../../../api/orchestrator/approvals.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from '../../../api/orchestrator/refills.js';
import { call, eventually, shared } from '../../../helpers/client.js';
import { newPatient, saveCard } from '../../../helpers/patients.js';

const dev = shared();
const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
afterAll(() => sql.end());

/** The decision of that day's check about a schedule at its turn: `due`, or why it is skipped. */
async function verdictOn(
  scheduleId: string,
  { whenUnpaid = 'hold', day = '2999-12-31' }: { whenUnpaid?: 'send' | 'hold'; day?: string } = {},
): Promise<string> {
  const checks = createRefillCheckActivities({
    sql,
    today: async () => day,
    whenUnpaid,
    noticeDays: 0,
    askDays: 10,
    graceDays: 7,
    timeZone: 'UTC',
  });
  const checkId = randomUUID();
  await sql`
    insert into orchestrator.refill_check_result (check_id, position, schedule_id) values (${checkId}, 1, ${scheduleId})
  `;
  const due = await checks.judgePage({ checkId, after: 0, size: 20 });
  if (due.length > 0) return 'due';
  const [result] = await sql<{ reason: string }[]>`
    select reason from orchestrator.refill_check_result where check_id = ${checkId}
  `;
  return result!.reason;
}
const pay = (reference: string) =>
  call(dev, 'orchestrator', { method: 'POST', path: `/orchestrator/payments/${reference}/retry` });

/** A schedule whose approval was sent and not paid, because the patient has no card. */
async function unpaidApproval() {
  const patient = await newPatient(dev, 'WA');
  const { taskId, ...approval } = semaglutideFor(patient.id);
  expect((await approve(dev, { taskId, ...approval })).body.result.warnings).toEqual(['payment_failed']);
  const [schedule] = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body.schedules;
  return { patient, taskId, id: schedule!.id };
}

test('a refill waits while the charge of its approval has failed for lack of a card, and goes once it is paid', async () => {
  const { patient, taskId, id } = await unpaidApproval();
  expect(await verdictOn(id, { whenUnpaid: 'send' })).toBe('due');
  expect(await verdictOn(id)).toBe('unpaid');
  await saveCard(dev, patient);
  expect(await verdictOn(id)).toBe('unpaid');
  expect((await pay(taskId)).status).toBe(200);
  expect(await verdictOn(id)).toBe('due');
});

test('it waits for the charge of an earlier refill too, also after its recovery ended, until it is waived', async () => {
  const { id: emrPatientId } = await newPatient(dev, 'WA');
  const schedule = await newSchedule(dev, { emrPatientId, nextFillDate: dayFromToday(0) });
  const other = await newSchedule(dev, { emrPatientId });
  await checkRefills(dev, { scheduleIds: [schedule.id] });
  const reference = `refill-${schedule.id}-1`;
  // A check of another test may have taken it.
  await eventually(async () => (await findPayment(sql, reference))?.status === 'failed');
  await eventually(async () => (await verdictOn(schedule.id, { day: dayFromToday(0) })) === 'not_due');
  expect(await verdictOn(schedule.id)).toBe('unpaid');
  expect(await verdictOn(other.id)).toBe('due');
  await giveUpDunning(sql, reference);
  expect(await verdictOn(schedule.id)).toBe('unpaid');
  await sql.begin((sql) => cancelDunning(sql, reference));
  expect(await verdictOn(schedule.id)).toBe('due');
});

test('a charge whose outcome is not known yet holds nothing', async () => {
  const { taskId, id } = await unpaidApproval();
  await sql`update orchestrator.payment set status = 'pending' where task_id = ${taskId}`;
  expect(await verdictOn(id)).toBe('due');
  await sql`update orchestrator.payment set status = 'failed' where task_id = ${taskId}`;
});

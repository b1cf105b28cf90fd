import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Patient } from 'fhir/r4.js';
import { createTaskActivities } from '../../../../activities/orchestrator/tasks.js';
import { businessDay } from '../../../../platform/business-day.js';
import { createSql, type Sql } from '../../../../db/client.js';
import { recordDeparture } from '../../../../db/orchestrator/departures.js';
import { findDunning } from '../../../../db/orchestrator/dunning.js';
import { reportFailedRefill } from '../../../../db/orchestrator/failed-refills.js';
import { claimForRun } from '../../../../db/orchestrator/tasks.js';
import { publishEvent } from '../../../../db/outbox.js';
import { defaultStateDir } from '../../../../dev/dev-json.js';
import { loadSecrets } from '../../../../dev/start/secrets.js';
import { issuePaymentLink } from '../../../../platform/crypto/payment-link.js';
import { eventually, shared } from '../../../helpers/client.js';
import { changeInEmr, newPatient, saveCard, type TestPatient } from '../../../helpers/patients.js';
import { sendWebhook, settled, webhookOf } from '../../bridge/bridge.js';
import { mailsTo, visit } from '../../intake/visitors.js';
import { approve, semaglutideFor } from '../approvals.js';
import { cancel } from '../exceptions.js';
import { newPlan, planNow } from '../plans.js';
import { dayFromToday, newSchedule, schedulesAt } from '../refills.js';

const dev = shared();
const [today, tomorrow] = [dayFromToday(0), dayFromToday(1)];
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
});
afterAll(() => sql.end());

const dead = { deceasedDateTime: '2026-11-01' };
const merged = { link: [{ type: 'replaced-by' as const, other: { reference: 'Patient/x' } }] };
const inactive = { active: false };

const scheduleNow = async (id: string) => (await schedulesAt(dev, `/${id}`)).body.schedule;
const operate = (id: string, operation: string) =>
  schedulesAt(dev, `/${id}/${operation}`, { method: 'POST' });

/** Writes what the EMR knows of how a patient left, and lets it tell us of a change that says nothing itself. */
async function becomes(patient: TestPatient, left: Partial<Patient>): Promise<void> {
  await changeInEmr(dev, patient, (record) => {
    delete record.active;
    delete record.deceasedDateTime;
    delete record.link;
    Object.assign(record, left);
  });
  const webhook = webhookOf('Patient.updated', { id: patient.id });
  expect(await settled(sql, await sendWebhook(dev, webhook), 'orchestrator')).toBe('delivered');
}
async function archive({ id: emrPatientId }: { id: string }): Promise<void> {
  const detail = { patientId: randomUUID(), emrPatientId, organizationId: null, archivedAt: new Date() };
  const id = await publishEvent(sql, 'patients', {
    detailType: 'patient.archived',
    aggregateId: detail.patientId,
    detail: { ...detail, archivedAt: detail.archivedAt.toISOString() },
  });
  await eventually(async () => {
    const rows = await sql`
      select from patients.event_delivery
      where event_id = ${id} and consumer = 'orchestrator' and state = 'delivered'
    `;
    return rows.length === 1;
  });
}
const paused = (pausedReason: string) => ({ status: 'paused', pausedReason });

describe('the schedules of a patient who left (D117)', () => {
  test('are paused with the gravest reason that we heard; what an operator paused stays so', async () => {
    const patient = await newPatient(dev);
    const [one, asked, over] = [
      await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow }),
      await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow }),
      await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow }),
    ];
    expect(one).toMatchObject({ status: 'active', pausedReason: null });
    await operate(asked.id, 'pause');
    await operate(over.id, 'cancel');
    for (const [left, reason] of [
      [inactive, 'patient_inactive'],
      [{ ...inactive, ...merged }, 'patient_merged'],
      [{ ...merged, ...dead }, 'patient_deceased'],
      // A lesser reason, and a record that is active again, change nothing any more.
      [inactive, 'patient_deceased'],
      [{}, 'patient_deceased'],
    ] as const) {
      await becomes(patient, left);
      expect(await scheduleNow(one.id)).toMatchObject(paused(reason));
    }
    await archive(patient);
    expect(await scheduleNow(one.id)).toMatchObject(paused('patient_archived'));
    await becomes(patient, dead);
    expect(await scheduleNow(one.id)).toMatchObject(paused('patient_archived'));
    expect(await newSchedule(dev, { emrPatientId: patient.id })).toMatchObject(paused('patient_archived'));
    expect(await scheduleNow(asked.id)).toMatchObject(paused('asked'));
    expect(await scheduleNow(over.id)).toMatchObject({ status: 'cancelled', pausedReason: null });
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body;
    expect(schedules.map(({ pausedReason }) => pausedReason)).toEqual([
      'patient_archived',
      null,
      'asked',
      'patient_archived',
    ]);
    expect((await operate(one.id, 'resume')).body.schedule).toMatchObject({
      status: 'active',
      pausedReason: null,
    });
  });

  test('that were paused for an inactive record are resumed once it is active again', async () => {
    const patient = await newPatient(dev);
    const [late, early] = [
      await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: '2024-01-31' }),
      await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow }),
    ];
    await becomes(patient, inactive);
    expect(await scheduleNow(late.id)).toMatchObject(paused('patient_inactive'));
    await becomes(patient, { active: true });
    const active = { status: 'active', pausedReason: null };
    expect(await scheduleNow(late.id)).toMatchObject({ ...active, nextFillDate: today });
    expect(await scheduleNow(early.id)).toMatchObject({ ...active, nextFillDate: tomorrow });
    await operate(late.id, 'cancel');
  });

  test('that are made later are paused at once, by a request and by an approval', async () => {
    const patient = await newPatient(dev, 'NY', (complete) => ({ ...complete, ...dead }));
    expect(await newSchedule(dev, { emrPatientId: patient.id })).toMatchObject(paused('patient_deceased'));
    const archived = await newPatient(dev);
    await recordDeparture(sql, archived.id, 'patient_archived', { today, timeZone: 'UTC' });
    expect(await newSchedule(dev, { emrPatientId: archived.id })).toMatchObject(paused('patient_archived'));
    expect((await approve(dev, semaglutideFor(archived.id))).status).toBe(200);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${archived.id}`)).body;
    expect(schedules).toMatchObject([paused('patient_archived'), paused('patient_archived')]);
  });

  test('stay paused after a refill that was past step 2, which counts', async () => {
    const patient = await newPatient(dev);
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow });
    const [taskId, reference, runId] = [`refill-${id}`, `refill-${id}-1`, randomUUID()];
    const what = { detailsHash: '', medication: 'semaglutide', emrPatientId: patient.id };
    const claim = { kind: 'refill' as const, taskId, reference, runId, workflowId: `test:${runId}` };
    await claimForRun(sql, { ...claim, ...what }, []);
    await becomes(patient, dead);
    const tasks = createTaskActivities({
      sql,
      today: async () => businessDay('UTC'),
      timeZone: 'UTC',
    });
    const texts = { medication: 'Semaglutide', patientName: 'Ada Test', state: 'NY' };
    const result = { success: true, completedSteps: [], warnings: [], ...texts };
    await tasks.recordOutcome({ runId, reference, result, refill: { scheduleId: id, n: 1 } });
    expect(await scheduleNow(id)).toMatchObject({ ...paused('patient_deceased'), refillsSent: 1 });
  });

  test('close the work item of a failed refill', async () => {
    const patient = await newPatient(dev, 'CA');
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow });
    const workflowId = `refill:${id}:1`;
    await reportFailedRefill(sql, { reference: `refill-${id}-1`, reason: 'pharmacy_submission', workflowId });
    const items = () => sql`
      select state, closed_by from orchestrator.work_item
      where kind = 'refill_failed' and refers_to ->> 'scheduleId' = ${id}
    `;
    expect(await items()).toMatchObject([{ state: 'open' }]);
    await becomes(patient, dead);
    expect(await items()).toMatchObject([{ state: 'closed', closedBy: 'system' }]);
  });

  test('of a plan are paused when a cancelled fill opens it again', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const phases = [{ medication: 'semaglutide', fills: 1 }];
    const plan = await newPlan({ emrPatientId: patient.id, phases });
    const taskId = `refill-${plan.id}`;
    await eventually(async () => (await planNow(plan)).state === 'completed');
    await recordDeparture(sql, patient.id, 'patient_deceased', { today, timeZone: 'UTC' });
    expect((await cancel(dev, { taskId, reason: 'Not needed' })).status).toBe(200);
    expect(await planNow(plan)).toMatchObject({ state: 'paused', fill: 2, fillsSent: 0 });
    expect(await scheduleNow(plan.id)).toMatchObject(paused('patient_deceased'));
    const events = await sql`
      select data from orchestrator.client_event where task_id = ${taskId} and type = 'refill.paused'
    `;
    expect(events).toEqual([{ data: { scheduleId: plan.id, n: 2, reason: 'patient_deceased' } }]);
  });

  test('are not doubled when the patient returns and an approval comes before we hear of it', async () => {
    const patient = await newPatient(dev);
    await approve(dev, semaglutideFor(patient.id));
    await becomes(patient, inactive);
    await changeInEmr(dev, patient, (record) => void (record.active = true));
    await approve(dev, semaglutideFor(patient.id));
    await becomes(patient, {});
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body;
    expect(schedules.map(({ status }) => status)).toEqual(['active', 'cancelled']);
  });
});

describe('the unpaid charge of a patient who left (D117)', () => {
  const itemsOf = (taskId: string) => sql`
    select reason, state from orchestrator.work_item where kind = 'payment_unpaid' and fact = ${taskId}
  `;
  const mailsOf = async ({ email }: TestPatient) =>
    (await mailsTo(dev, email)).filter(({ subject }) => /payment/i.test(subject)).length;

  test('is given to a person: its link has expired, and nothing starts again', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const { taskId } = approval;
    await eventually(async () => (await findDunning(sql, taskId))?.messagesSent === 1);
    const { paymentLinkSecret: secret } = loadSecrets(defaultStateDir());
    const token = await issuePaymentLink(secret, { reference: taskId, endsAt: Date.now() + 600_000 });
    const pay = async () => {
      const { status, body } = await visit<{ error?: string }>(dev, '/pay', { token });
      return [status, body.error];
    };
    await becomes(patient, inactive);
    expect((await findDunning(sql, taskId))?.state).toBe('unpaid');
    expect(await itemsOf(taskId)).toMatchObject([{ reason: 'patient_inactive', state: 'open' }]);
    expect(await pay()).toEqual([400, 'Payment link expired']);
    await becomes(patient, {});
    expect((await findDunning(sql, taskId))?.state).toBe('unpaid');
    expect(await itemsOf(taskId)).toMatchObject([{ state: 'open' }]);
    expect(await pay()).toEqual([400, 'Payment link expired']);
    expect(await mailsOf(patient)).toBe(1);
  });

  test('that failed afterwards is given to a person at once, and the patient hears nothing of it', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    await recordDeparture(sql, patient.id, 'patient_archived', { today, timeZone: 'UTC' });
    const approval = semaglutideFor(patient.id);
    expect((await approve(dev, approval)).body.result.warnings).toEqual(['payment_failed']);
    await eventually(async () => (await findDunning(sql, approval.taskId))?.state === 'unpaid');
    expect(await itemsOf(approval.taskId)).toMatchObject([{ reason: 'patient_archived', state: 'open' }]);
    expect(await mailsOf(patient)).toBe(0);
  });
});

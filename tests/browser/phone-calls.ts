import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Sql } from '../../db/client.js';
import {
  approve,
  callsTo,
  chargesOf,
  endedRun,
  semaglutideFor,
  submissionIdOf,
} from '../api/orchestrator/approvals.js';
import { atPharmacy, booked, refundsOf } from '../api/orchestrator/exceptions.js';
import { newPlan } from '../api/orchestrator/plans.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from '../api/orchestrator/refills.js';
import { call, eventually, shared } from '../helpers/client.js';
import { changeInEmr, newPatient, saveCard, type TestPatient } from '../helpers/patients.js';

const dev = shared();

/** A task that is approved, its order at pharmacy_a. */
export async function approved(card?: string) {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, card === undefined ? {} : { card });
  const { taskId, ...approval } = semaglutideFor(patient.id);
  expect((await approve(dev, { taskId, ...approval })).status).toBe(200);
  const [order] = await booked(dev, taskId);
  return { patient, taskId, order: order! };
}
/** The same, about which the pharmacy asks. */
export async function held(code: string, message?: string) {
  const made = await approved();
  await atPharmacy(dev, made.order, 'hold', { id: `hold-${randomUUID()}`, code, message });
  return made;
}
export const holdOf = async (taskId: string) => (await booked(dev, taskId))[0]!.holds[0];
/** What the pharmacy was sent as the answer to a hold. */
export const sentTo = async ({ orderId }: { orderId: string }) =>
  JSON.stringify(
    (await callsTo(dev, 'pharmacy_a'))
      .filter(({ path }) => path.includes(`/orders/${orderId}/holds/`))
      .map(({ body }) => body),
  );
export const scheduleOf = async (sql: Sql, patient: { id: string }) => {
  const [row] = await sql<{ id: string }[]>`
    select id from orchestrator.refill_schedule where emr_patient_id = ${patient.id}
  `;
  return (await schedulesAt(dev, `/${row!.id}`)).body.schedule;
};
const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
export const chargesAndRefunds = async (taskId: string) => {
  const [charges, refunds] = [await chargesOf(dev, taskId), await refundsOf(dev, taskId)];
  const refunded = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return `${charges.length} ${charges.length === 1 ? 'charge' : 'charges'}, ${dollars(refunded)} refunded`;
};

/** A declined charge, of which the two weeks are over. */
export async function unpaid(sql: Sql) {
  const made = await approved('pm_card_chargeCustomerFail');
  await eventually(async () => {
    const [row] = await sql<{ state: string }[]>`
      update orchestrator.payment_recovery set
        opened_at = now() - interval '15 days', next_at = now() - interval '1 day'
      where reference = ${made.taskId} and messages_sent > 0
      returning state
    `;
    return row?.state === 'unpaid';
  });
  return made;
}

/** An order that the pharmacy accepted and does not have. @param isNoted somebody has asked it to look */
export const forgotten =
  ({ isNoted }: { isNoted: boolean }) =>
  async () => {
    const made = await approved();
    await atPharmacy(dev, made.order, 'forget', {});
    const path = `/rx/prescriptions/${submissionIdOf(dev, made.taskId)}/missing`;
    if (isNoted) await call(dev, 'router', { key: 'orchestrator', method: 'POST', path });
    return made;
  };

/** Somebody in a state that no pharmacy serves. */
async function unserved(): Promise<TestPatient> {
  const patient = await newPatient(dev, 'CA');
  await saveCard(dev, patient);
  return patient;
}
/** Moves a patient to where a pharmacy serves. Only now, since any check of refills tries a failed one again. */
export const serve = (patient: TestPatient) =>
  changeInEmr(dev, patient, (record) => {
    record.address![0]!.state = 'WA';
  });
export async function failedApproval() {
  const patient = await unserved();
  const { taskId, ...approval } = semaglutideFor(patient.id);
  expect((await approve(dev, { taskId, ...approval })).status).toBe(500);
  return { taskId, patient };
}
export async function failedRefill() {
  const patient = await unserved();
  const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(0) });
  await checkRefills(dev, { scheduleIds: [id] });
  await eventually(() => endedRun(dev, `refill-${id}`));
  return { id, patient };
}

/** A plan whose first phase is over, so that the next fill waits for a decision. */
export async function planAtItsEnd() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const phases = ['10', '20'].map((units) => ({
    medication: 'semaglutide',
    dosage: `inject ${units} units weekly`,
    fills: 2,
    checkIn: 'none',
  }));
  const running = { phase: 1, sent: 2, lastFillDate: dayFromToday(-31) };
  const { id } = await newPlan({ emrPatientId: patient.id, phases, running });
  await checkRefills(dev, { scheduleIds: [id] });
  return { id, patient };
}

/** Closes yesterday. */
export async function closedDay(): Promise<string> {
  const date = dayFromToday(-1);
  const asked = { key: 'admin', method: 'POST', path: '/orchestrator/closes', body: { date } };
  expect((await call(dev, 'orchestrator', asked)).status).toBe(200);
  return date;
}

export async function dunningOf(sql: Sql, taskId: string): Promise<string | undefined> {
  const [row] = await sql<{ state: string }[]>`
    select state from orchestrator.payment_recovery where reference = ${taskId}
  `;
  return row?.state;
}

import { randomUUID } from 'node:crypto';
import type { Method } from '../../clients/typescript/src/index.js';
import type { DevJson } from '../../dev/dev-json.js';
import type { ServiceName } from '../../platform/service-names.js';
import { clearFaults, setFault } from '../faults/faults.js';
import { call, eventually, freshTask, patientIn, sandbox } from '../helpers/client.js';
import { newPatient, saveCard } from '../helpers/patients.js';
import { inState } from '../helpers/prescription.js';
import { shipped } from './orchestrator/replacements.js';
import { mailsTo, newCode } from './intake/visitors.js';

export interface CallOptions {
  parameters?: Record<string, string>;
  query?: string;
  body?: unknown;
  signed?: boolean;
  /** A seeded one, if it is not the service's usual. */
  key?: string;
}
/** Calls an operation and notes it as an example. */
export type Take = (
  service: ServiceName,
  method: Method,
  path: string,
  options?: CallOptions,
) => Promise<Record<string, unknown>>;

/** An approval that is looked at before, rerouted, cancelled, and told of. @returns its task */
export async function takeOfExceptions(dev: DevJson, take: Take): Promise<string> {
  const { id: emrPatientId } = await patientWith(dev, 'pm_card_visa');
  const taskId = freshTask();
  const approval = { taskId, medication: 'semaglutide', emrPatientId };
  const wrong = { ...approval, taskId: freshTask(), emrPatientId: patientIn(dev, 'WA'), dosage: '9 mg' };
  await take('orchestrator', 'POST', '/orchestrator/preflight', { body: wrong });
  await send(dev, 'orchestrator', '/orchestrator/approve', approval);
  const elsewhere = { taskId, pharmacy: 'pharmacy_b' };
  await take('orchestrator', 'POST', '/orchestrator/reroute', { body: elsewhere });
  await take('orchestrator', 'POST', '/orchestrator/send-again', { body: { taskId } });
  const refund = { taskId, amountCents: 5000, reason: 'Came late' };
  await take('orchestrator', 'POST', '/orchestrator/refunds', { body: refund });
  const cancelled = { taskId, reason: 'No longer needed' };
  await take('orchestrator', 'POST', '/orchestrator/cancel', { body: cancelled });
  await take('orchestrator', 'GET', '/orchestrator/timeline/{taskId}', { parameters: { taskId } });
  const lost = { taskId: (await shipped(dev)).taskId, reason: 'lost', paidBy: 'carrier' };
  await take('orchestrator', 'POST', '/orchestrator/replacements', { body: lost });

  const schedules = '/orchestrator/refill-schedules';
  const schedule = { emrPatientId: patientIn(dev, 'NY'), medication: 'semaglutide', totalRefillsAllowed: 3 };
  const made = await send<{ schedule: { id: string } }>(dev, 'orchestrator', schedules, schedule);
  const parameters = { id: made.schedule.id };
  await take('orchestrator', 'GET', `${schedules}/{id}`, { parameters });
  const at = (change: string, body?: unknown) =>
    take('orchestrator', 'POST', `${schedules}/{id}/${change}`, { parameters, body });
  await at('skip', { reason: 'Travelling' });
  await at('move', { nextFillDate: new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10) });
  const shipTo = { addressLine1: '2 Oak St', city: 'Houston', state: 'TX', zip: '77002' };
  await at('ship-to', { shipTo, fills: 2 });
  const directions = { dosage: 'inject 5 units (0.125mg) SQ weekly', quantity: 1 };
  await take('orchestrator', 'PATCH', `${schedules}/{id}`, { parameters, body: directions });
  for (const change of ['pause', 'resume', 'cancel']) await at(change);
  return taskId;
}

/** An order about which its pharmacy asks, and one that is cancelled. */
export async function takeOfOrders(dev: DevJson, take: Take): Promise<void> {
  const key = 'clinic_holds';
  const order = await submitted(dev, key);
  const hold = { id: `hold-${randomUUID()}`, code: 'out-of-stock', message: 'Back in a week. Wait for it?' };
  await sandbox(dev, `/pharmacies/pharmacy_a/orders/${order.pharmacyOrderId}/hold`, {
    method: 'POST',
    body: hold,
  });
  const id = order.submissionId;
  await take('router', 'POST', '/rx/prescriptions/{id}/holds/{holdId}/answer', {
    key,
    parameters: { id, holdId: hold.id },
    body: { answer: 'proceed', text: 'Go on' },
  });
  const other = { id, pharmacy: 'pharmacy_b' };
  await take('router', 'GET', '/rx/prescriptions/{id}/pharmacies/{pharmacy}', { key, parameters: other });
  await take('router', 'POST', '/rx/prescriptions/{id}/missing', { key, parameters: { id } });
  await take('router', 'POST', '/rx/prescriptions/{id}/cancel', {
    key,
    parameters: { id },
    body: { reason: 'No longer needed' },
  });
  await take('router', 'GET', '/rx/route', { query: '?state=NY&medication=semaglutide' });
}

/** A charge that fails, its link, and its payment; a recovery of what has failed for one reason. */
export async function takeOfPayments(dev: DevJson, take: Take): Promise<void> {
  const [paidByLink, retried] = [await unpaid(dev), await unpaid(dev)];
  await take('orchestrator', 'GET', '/orchestrator/payment-recoveries', { query: '?limit=1' });
  await saveCard(dev, retried.patient);
  const parameters = { taskId: retried.taskId };
  await take('orchestrator', 'POST', '/orchestrator/payments/{taskId}/retry', { parameters });
  const { email } = paidByLink.patient;
  const token = await eventually(async () =>
    (await mailsTo(dev, email))
      .map(({ text }) => /\/pay\?token=([\w.-]+)/.exec(text)?.[1])
      .find((found) => found !== undefined),
  );
  await take('intake', 'POST', '/pay/session', { signed: false, body: { token } });
  await take('intake', 'POST', '/pay', { signed: false, body: { token, paymentMethodId: 'pm_card_visa' } });

  const proven = `ada.${randomUUID()}@patients.test`;
  await take('intake', 'POST', '/verify-email/send', { signed: false, body: { email: proven } });
  const code = await newCode(dev, proven);
  await take('intake', 'POST', '/verify-email/check', { signed: false, body: { email: proven, code } });

  const medication = `nowhere-${randomUUID()}`;
  const failing = { taskId: freshTask(), medication, emrPatientId: patientIn(dev, 'WA') };
  await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/approve', body: failing });
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 60_000).toISOString();
  const body = { step: 'medication_config', error: medication, from, to, dryRun: false, perMinute: 1 };
  const key = 'admin';
  const begun = await take('orchestrator', 'POST', '/orchestrator/recoveries', { key, body });
  const ofIt = { key, parameters: { id: String(begun['recoveryId']) } };
  await take('orchestrator', 'GET', '/orchestrator/recoveries/{id}', ofIt);
  await take('orchestrator', 'POST', '/orchestrator/recoveries/{id}/cancel', ofIt);
}

/** A run that is stuck for five minutes while a pharmacy takes no cancellations, in a system that nobody else uses. */
export async function takeStuckRun(dev: DevJson, take: Take): Promise<void> {
  const { submissionId } = await submitted(dev, 'clinic');
  await setFault(dev, { target: 'pharmacy_a', operation: 'cancel', kind: 'status', status: 503 });
  try {
    const path = `/rx/prescriptions/${submissionId}/cancel`;
    await call(dev, 'router', { key: 'clinic', method: 'POST', path });
    await eventually(async () => {
      const { total } = await take('worklist', 'GET', '/v1/stuck-runs');
      return total !== 0;
    });
  } finally {
    await clearFaults(dev);
  }
}

async function patientWith(dev: DevJson, card: string) {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, { card });
  return patient;
}

/** A task whose charge has failed, of a patient who is sent a link. */
async function unpaid(dev: DevJson) {
  const patient = await patientWith(dev, 'pm_card_chargeCustomerFail');
  const taskId = freshTask();
  const approval = { taskId, medication: 'semaglutide', emrPatientId: patient.id };
  await send(dev, 'orchestrator', '/orchestrator/approve', approval);
  return { taskId, patient };
}

const submitted = (dev: DevJson, key: string) =>
  send<{ submissionId: string; pharmacyOrderId: string }>(
    ...([dev, 'router', '/rx/prescriptions/submit', inState('WA'), key] as const),
  );

async function send<T>(dev: DevJson, service: ServiceName, path: string, body: unknown, key = 'approvals') {
  const answer = await call<T>(dev, service, { key, method: 'POST', path, body });
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

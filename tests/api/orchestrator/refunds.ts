import { adminToken, call, callAs, eventually, sandbox, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { approve, semaglutideFor } from './approvals.js';
import { lost, replace, shipped } from './replacements.js';

const dev = shared();

interface BookedCharge {
  id: string;
  paymentIntent: string;
  customer: string;
  metadata: Record<string, string>;
}

async function chargeOf(reference: string) {
  const { charges } = await sandbox<{ charges: BookedCharge[] }>(dev, '/charges');
  return charges.find(({ metadata }) => metadata['task_id'] === reference)!;
}

export async function paid() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  const { taskId } = approval;
  await approve(dev, approval);
  return { taskId, charge: await chargeOf(taskId) };
}

/** The patient pays the replacement of a shipped order. */
export async function paidReplacement() {
  const { taskId } = await shipped(dev);
  await replace(dev, lost(taskId, { paidBy: 'patient' }));
  const reference = `${taskId}~1`;
  return { taskId: reference, charge: await chargeOf(reference) };
}

export const idsOf = async (paymentIntent: string) => {
  const { refunds } = await sandbox<{ refunds: { id: string; paymentIntent: string }[] }>(dev, '/refunds');
  return refunds.filter((made) => made.paymentIntent === paymentIntent).map(({ id }) => id);
};

export const failAtBank = (refundId: string) =>
  sandbox(dev, `/stripe/refunds/${refundId}/fail`, { method: 'POST', body: {} });

export const tellBank = ({ customer }: BookedCharge, answer: 'expired_or_canceled_card' | 'paid') =>
  sandbox(dev, '/stripe/bank', { method: 'POST', body: { customer, answer } });

export const refundPart = (taskId: string, amountCents: number) => {
  const body = { taskId, amountCents, reason: 'Came late' };
  return call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/refunds', body });
};

export const tell = (type: string, id: string) =>
  sandbox<{ status: number }>(dev, '/stripe/events', { method: 'POST', body: { type, id } });

export const answer = async (id: string, answer: 'retry' | 'dismiss') => {
  const path = `/v1/work-items/${id}`;
  const token = await adminToken(dev);
  await eventually(async () => {
    const { body } = await callAs<{ workItem?: { state: string } }>(dev, 'worklist', token, { path });
    return body.workItem?.state === 'open';
  });
  return callAs(dev, 'worklist', token, {
    method: 'POST',
    path: `${path}/answer`,
    body: { answer },
  });
};

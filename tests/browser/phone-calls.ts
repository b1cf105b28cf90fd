import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { approve, callsTo, semaglutideFor } from '../api/orchestrator/approvals.js';
import { atPharmacy, booked } from '../api/orchestrator/exceptions.js';
import { shared } from '../helpers/client.js';
import { newPatient, saveCard } from '../helpers/patients.js';

const dev = shared();

/** A task that is approved, its order at pharmacy_a. */
async function approved() {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
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
/** What the pharmacy was sent as the answer to a hold. */
export const sentTo = async ({ orderId }: { orderId: string }) =>
  JSON.stringify(
    (await callsTo(dev, 'pharmacy_a'))
      .filter(({ path }) => path.includes(`/orders/${orderId}/holds/`))
      .map(({ body }) => body),
  );

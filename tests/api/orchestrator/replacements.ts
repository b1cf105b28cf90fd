import { expect } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { type Answer, call, eventually, mailboxOf } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { approve, runsOf, semaglutideFor } from './approvals.js';
import { atPharmacy, booked, type BookedOrder } from './exceptions.js';

export interface Replacement {
  n: number;
  reference: string;
  submissionId: string | null;
  pharmacy: string;
  reason: string;
  paidBy: string;
  state: string;
  at: string;
}
export interface ReplaceAnswer {
  success: true;
  taskId: string;
  replacement: Replacement;
  error: string;
  details: { path: string }[];
}
export const replace = (dev: DevJson, body: unknown, key?: string): Promise<Answer<ReplaceAnswer>> =>
  call(dev, 'orchestrator', {
    method: 'POST',
    path: '/orchestrator/replacements',
    body,
    ...(key && { key }),
  });

/** A request for a lost parcel. */
export const lost = (taskId: string, over: object = {}) => ({
  taskId,
  reason: 'lost',
  paidBy: 'carrier',
  ...over,
});

/** The mails of a patient whose subject says something. */
export const mailsOf = async (dev: DevJson, email: string, about: RegExp) =>
  (await mailboxOf<{ subject: string; text: string }>(dev, email)).filter(({ subject }) =>
    about.test(subject),
  );

/** The replacements that the newest run of a task lists. */
export async function replacementsOf(dev: DevJson, taskId: string): Promise<Replacement[]> {
  const [run] = (await runsOf(dev, taskId)) as unknown as { replacements: Replacement[] }[];
  return run?.replacements ?? [];
}

export const shipAt = (dev: DevJson, order: BookedOrder, status = 'shipped') =>
  atPharmacy(dev, order, 'status', { status, trackingNumber: `1Z${order.orderId}`, carrier: 'UPS' });

/** Waits until the last replacement of a task has a state. */
export const replacementIs = (dev: DevJson, taskId: string, state: string) =>
  eventually(async () => (await replacementsOf(dev, taskId)).at(-1)?.state === state);

export interface Shipped {
  patient: TestPatient;
  taskId: string;
  order: BookedOrder;
}

/** A task that is approved and charged, its order shipped. */
export async function shipped(
  dev: DevJson,
  over: { state?: string; medication?: string; taskId?: string; card?: string } = {},
): Promise<Shipped> {
  const { state = 'WA', card, ...rest } = over;
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient, card === undefined ? {} : { card });
  const approval = { ...semaglutideFor(patient.id), ...rest };
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  const [order] = await booked(dev, taskId);
  await shipAt(dev, order!);
  return { patient, taskId, order: order! };
}

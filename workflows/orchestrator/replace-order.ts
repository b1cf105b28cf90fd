import { CancellationScope, setCurrentDetails } from '@temporalio/workflow';
import type { LabelActivities } from '../../activities/orchestrator/lost-labels.js';
import type { PharmacyOrder } from '../../activities/orchestrator/pharmacy.js';
import type { ReplacementActivities, Replacing } from '../../activities/orchestrator/replacements.js';
import { failureTypes } from '../../domain/failures.js';
import { type ReplacementEnd, replacementNotice } from '../../domain/orchestrator/replacement.js';
import { failureOf, ordinary, ownTransactions } from '../proxies.js';
import { chargeSavedCard } from './charge-saved-card.js';
import { notifying, patientLater } from './proxies.js';
import { shipOrder } from './ship-order.js';

const records = ownTransactions<ReplacementActivities & Pick<LabelActivities, 'recordFailedShipment'>>();
const router = ordinary<ReplacementActivities>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

/**
 * Orders the prescription of a shipped order again (D120): one order, and one charge if the patient pays. A failed
 * charge, label or message leaves the order. If nobody knows the outcome, the run ends; a later one resumes with the
 * charge, once the order turns out to exist (D114).
 */
export async function replaceOrder({ reference }: { reference: string }): Promise<ReplacementEnd> {
  return CancellationScope.nonCancellable(async () => {
    const opened = await records('Read the replacement').openReplacement({ reference });
    if ('end' in opened) return opened.end;
    const { replacing } = opened;
    const order = replacing.placed ?? (await place(reference, replacing));
    if ('state' in order) return order;
    const failures = await follow(reference, replacing, order);
    await records('End the replacement').endReplacement({ reference });
    setCurrentDetails(
      [`**Ordered again** from ${order.pharmacy} as ${reference}.`, ...failures].join('\n\n'),
    );
    return { state: 'ordered' };
  });
}

async function place(
  reference: string,
  { pharmacy }: Replacing,
): Promise<PharmacyOrder | Exclude<ReplacementEnd, { state: 'ordered' }>> {
  setCurrentDetails(`Waiting for **${pharmacy}** to accept the order.`);
  const answer = await router(`Order at ${pharmacy}`).placeReplacement({ reference });
  if ('placed' in answer) {
    await records('Record the order').recordReplacementOrder({ reference, ...answer.placed });
    return answer.placed;
  }
  if ('unknown' in answer) {
    const { submissionId } = answer;
    await records('Record the doubt').recordNoReplacement({ reference, submissionId, state: 'unknown' });
    setCurrentDetails('**The outcome of the order is unknown.** The router asks; nothing was charged.');
    return { state: 'unknown' };
  }
  await records('Record the rejection').recordNoReplacement({
    reference,
    submissionId: null,
    state: 'rejected',
  });
  setCurrentDetails(`**${pharmacy} rejected the order:** ${answer.refusal}. Nothing was charged.`);
  return { state: 'rejected', error: answer.refusal };
}

/** Charges, ships and tells the patient. @returns a line about each failure */
async function follow(reference: string, replacing: Replacing, placed: PharmacyOrder): Promise<string[]> {
  const { heldBy: orderNumber, emrPatientId, priceCents, requestedBy } = replacing;
  const failures: string[] = [];
  const attempt = async (what: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(`- WARNING, ${what}: ${failureOf(error).message}`);
    }
  };
  if (priceCents !== undefined)
    await attempt('charge', () =>
      chargeSavedCard('Charge saved card', { taskId: reference, emrPatientId, priceCents, requestedBy }),
    );
  await attempt('shipment', () => ship({ reference, emrPatientId }, placed));
  await attempt('notification', async () => {
    const contact = await patientLater('Find patient in EMR').fetchContact({ emrPatientId });
    const variables = { orderNumber, change: replacementNotice };
    await notifying('Notify patient').notifyPatient({ type: 'order_edited', reference, contact, variables });
  });
  return failures;
}

/** A rejected label is a work item; lost answers are reconciled by a run of their own (D114). */
async function ship(
  { reference, emrPatientId }: { reference: string; emrPatientId: string },
  placed: PharmacyOrder,
): Promise<void> {
  const { submissionId } = placed;
  try {
    await shipOrder('Create shipment', { runId: null, reference, emrPatientId }, placed, () =>
      router('Read the address').readAddressee({ submissionId }),
    );
  } catch (error) {
    if (failureOf(error).type !== failureTypes.unavailable)
      await records('Open a work item').recordFailedShipment({ submissionId, reference, reason: 'refused' });
    throw error;
  }
}

import type { Client } from '@temporalio/client';
import type { HandedInCard, PayAnswer } from '../domain/orchestrator/dunning.js';
import { idPart } from '../platform/crypto/ids.js';
import { paymentRecoveryWorkflowId } from '../workflows/ids.js';
import { payUpdate } from '../workflows/messages.js';
import { rxTask } from '../workflows/search-attributes.js';
import { type Answer, updateWithStart, signalRecheck, type Run } from './runs.js';

/** The order whose charge has failed: a task, or a refill by its reference. */
interface Unpaid {
  reference: string;
  taskId: string;
}

const recovering = ({ reference, taskId }: Unpaid): Run<'recoverPayment'> => ({
  workflow: 'recoverPayment',
  id: paymentRecoveryWorkflowId(idPart(reference)),
  queue: 'orchestrator',
  args: [reference],
  attributes: [{ key: rxTask, value: taskId }],
  summary: `Get ${reference} paid`,
  details:
    'Charges again what was declined for now, reminds the patient, and asks a person in the end. Never charges twice.',
});

/** Tells the run that gets a charge paid to look at it again, and starts it where there is none (D107). */
export const recheckDunning = (temporal: Client, unpaid: Unpaid): Promise<void> =>
  signalRecheck(temporal, recovering(unpaid));

/** Pays what is owed, with the card that is handed in or the one that is saved; `late`: the verdict comes later. */
export const payNow = (
  temporal: Client,
  unpaid: Unpaid,
  card: HandedInCard,
  withinMs: number,
): Promise<Answer<PayAnswer>> =>
  updateWithStart(temporal, recovering(unpaid), { update: payUpdate, args: [card], withinMs });

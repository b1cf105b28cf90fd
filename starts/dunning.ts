import type { Client } from '@temporalio/client';
import type { HandedInCard } from '../domain/orchestrator/dunning.js';
import { idPart } from '../platform/crypto/ids.js';
import { paymentRecoveryWorkflowId } from '../workflows/ids.js';
import { payUpdate } from '../workflows/messages.js';
import { rxTask } from '../workflows/search-attributes.js';
import { updateWithStart, signalRecheck, type Run } from './runs.js';

/** The order whose charge failed: a task, or a refill by its reference. */
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
  summary: `Dunning of ${reference}`,
  details: 'Retries the charge, reminds the patient, and opens a work item in the end. Never charges twice.',
});

/** Signals the dunning run of a charge to check it, and starts it if there is none (D107). */
export const recheckDunning = (temporal: Client, unpaid: Unpaid) =>
  signalRecheck(temporal, recovering(unpaid));

/** Pays the debt with the given card or the saved one. */
export const payNow = (temporal: Client, unpaid: Unpaid, card: HandedInCard, withinMs: number) =>
  updateWithStart(temporal, recovering(unpaid), { update: payUpdate, args: [card], withinMs });

import type { Client } from '@temporalio/client';
import type { OpenChange } from '../db/orchestrator/cancellations.js';
import type { CancellationRequest } from '../domain/orchestrator/cancellation.js';
import type { CancelledOrder } from '../domain/orchestrator/shipments.js';
import { idPart } from '../platform/crypto/ids.js';
import { cancelApprovalWorkflowId } from '../workflows/ids.js';
import { orderCancelledSignal } from '../workflows/messages.js';
import { rxTask } from '../workflows/search-attributes.js';
import { begin, isRunning, type Outcome, type Run, signal } from './begin.js';

const cancellation = (taskId: string): Omit<Run<'cancelApproval'>, 'args'> => ({
  workflow: 'cancelApproval',
  id: cancelApprovalWorkflowId(idPart(taskId)),
  queue: 'orchestrator',
  attributes: [{ key: rxTask, value: taskId }],
  summary: `Take back · task ${taskId}`,
});

/**
 * Takes an approval back (D104). Requests for the same order join; one that comes while another refill of the same
 * schedule is taken back conflicts, and is to be asked again.
 * @param taskId of a refill that of its schedule
 */
export const cancelApproval = (
  temporal: Client,
  taskId: string,
  asked: CancellationRequest,
  withinMs: number,
): Promise<Outcome<{ answered: boolean }>> =>
  begin(temporal, { ...cancellation(taskId), args: [{ asked }], purpose: asked.reference }, withinMs);

/** Hands the word that a pharmacy has cancelled an order to the run that undoes what hangs on it (D104). */
export const followCancelledOrder = (
  temporal: Client,
  taskId: string,
  order: CancelledOrder,
): Promise<void> => signal(temporal, { ...cancellation(taskId), args: [{}] }, orderCancelledSignal, [order]);

/** Begins the run of a change again that has been lost with its workflow. @returns whether it was lost */
export async function carryOn(temporal: Client, change: OpenChange): Promise<boolean> {
  const { taskId, reference, reason, stopRefills, requestedBy } = change;
  const run = cancellation(taskId);
  if (await isRunning(temporal, run.id)) return false;
  const asked = { reference, reason: reason ?? '', stopRefills, requestedBy: requestedBy ?? '' };
  await cancelApproval(temporal, taskId, asked, 0);
  return true;
}

import type { Client } from '@temporalio/client';
import type { OpenChange } from '../db/orchestrator/cancellations.js';
import type { CancellationRequest } from '../domain/orchestrator/cancellation.js';
import type { RerouteEnd, RerouteRequest } from '../domain/orchestrator/reroute.js';
import type { CancelledOrder } from '../domain/orchestrator/shipments.js';
import { idPart } from '../platform/crypto/ids.js';
import { cancelApprovalWorkflowId, rerouteWorkflowId } from '../workflows/ids.js';
import { orderCancelledSignal } from '../workflows/messages.js';
import { rxTask } from '../workflows/search-attributes.js';
import { startOrJoin, isRunning, type Outcome, type Run, signalWithStart } from './runs.js';

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
  startOrJoin(temporal, { ...cancellation(taskId), args: [{ asked }], purpose: asked.reference }, withinMs);

/** Whether an approval is being taken back just now. */
export const isCancelling = (temporal: Client, taskId: string): Promise<boolean> =>
  isRunning(temporal, cancellation(taskId).id);

/** Hands the word that a pharmacy has cancelled an order to the run that undoes what hangs on it (D104). */
export const followCancelledOrder = (
  temporal: Client,
  taskId: string,
  order: CancelledOrder,
): Promise<void> =>
  signalWithStart(temporal, { ...cancellation(taskId), args: [{}] }, orderCancelledSignal, [order]);

const reroute = (taskId: string): Omit<Run<'rerouteOrder'>, 'args'> => ({
  workflow: 'rerouteOrder',
  id: rerouteWorkflowId(idPart(taskId)),
  queue: 'orchestrator',
  attributes: [{ key: rxTask, value: taskId }],
  summary: `Move the order of task ${taskId}`,
});

/** Moves the order of a task to another pharmacy (D105); requests for the same join. @param taskId of a refill that of its schedule */
export const rerouteOrder = (
  temporal: Client,
  taskId: string,
  asked: RerouteRequest,
  withinMs: number,
): Promise<Outcome<RerouteEnd>> => {
  const run = { ...reroute(taskId), args: [asked] as [RerouteRequest] };
  return startOrJoin(temporal, { ...run, purpose: `${asked.reference} ${asked.pharmacy}` }, withinMs);
};

/** Begins the run of a change again that has been lost with its workflow. @returns whether it was lost */
export async function restartOrderChange(temporal: Client, change: OpenChange): Promise<boolean> {
  const { taskId, reference, changing, rerouteTo, reason, stopRefills } = change;
  const requestedBy = change.requestedBy ?? '';
  const isReroute = changing === 'reroute' && rerouteTo !== null;
  if (await isRunning(temporal, (isReroute ? reroute(taskId) : cancellation(taskId)).id)) return false;
  if (isReroute) await rerouteOrder(temporal, taskId, { reference, pharmacy: rerouteTo, requestedBy }, 0);
  else
    await cancelApproval(temporal, taskId, { reference, reason: reason ?? '', stopRefills, requestedBy }, 0);
  return true;
}

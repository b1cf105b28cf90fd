import { ownTaskId } from '../domain/clients.js';
import type { Client } from '@temporalio/client';
import type { OpenChange } from '../db/orchestrator/cancellations.js';
import type { CancellationRequest } from '../domain/orchestrator/cancellation.js';
import type { RerouteEnd, RerouteRequest } from '../domain/orchestrator/reroute.js';
import type { CancelledOrder } from '../domain/orchestrator/shipments.js';
import { idPart, jsonHash } from '../platform/crypto/ids.js';
import { cancelApprovalWorkflowId, replacementWorkflowId, rerouteWorkflowId } from '../workflows/ids.js';
import { orderCancelledSignal } from '../workflows/messages.js';
import { rxTask } from '../workflows/search-attributes.js';
import { startOrJoin, isRunning, type Outcome, type Run, signalWithStart } from './runs.js';

const cancellation = (taskId: string): Omit<Run<'cancelApproval'>, 'args'> => ({
  workflow: 'cancelApproval',
  id: cancelApprovalWorkflowId(idPart(taskId)),
  queue: 'orchestrator',
  attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
  summary: `Cancel · task ${ownTaskId(taskId)}`,
});

/**
 * Cancels an approval (D104). Requests for the same order join. A request conflicts while the run cancels another refill
 * of the schedule, or follows a pharmacy's own cancellation.
 * @param taskId for a refill the task of its schedule
 */
export const cancelApproval = (
  temporal: Client,
  taskId: string,
  asked: CancellationRequest,
  withinMs: number,
) =>
  startOrJoin(temporal, { ...cancellation(taskId), args: [{ asked }], purpose: asked.reference }, withinMs);

/** Returns whether a cancellation of the task is open. */
export const isCancelling = (temporal: Client, taskId: string) =>
  isRunning(temporal, cancellation(taskId).id);

/** Signals that a pharmacy cancelled an order to the run that cancels its task (D104). */
export const followCancelledOrder = (temporal: Client, taskId: string, order: CancelledOrder) =>
  signalWithStart(temporal, { ...cancellation(taskId), args: [{}] }, orderCancelledSignal, [order]);

const reroute = (taskId: string): Omit<Run<'rerouteOrder'>, 'args'> => ({
  workflow: 'rerouteOrder',
  id: rerouteWorkflowId(idPart(taskId)),
  queue: 'orchestrator',
  attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
  summary: `Reroute the order of task ${ownTaskId(taskId)}`,
});

/**
 * Reroutes a task's order to another pharmacy or address (D105); equal requests join.
 * @param taskId for a refill the task of its schedule
 */
export const rerouteOrder = (
  temporal: Client,
  taskId: string,
  { onStart, ...asked }: RerouteRequest & { onStart?: () => void },
  withinMs: number,
): Promise<Outcome<RerouteEnd>> => {
  const run = { ...reroute(taskId), onStart, args: [asked] as [RerouteRequest] };
  const { reference, pharmacy, shipTo } = asked;
  const purpose = [reference, pharmacy, ...(shipTo ? [jsonHash(shipTo)] : [])].join(' ');
  return startOrJoin(temporal, { ...run, purpose }, withinMs);
};

interface Replacing {
  /** For a refill the task of its schedule. */
  taskId: string;
  reference: string;
}

const replacement = ({ taskId, reference }: Replacing): Run<'replaceOrder'> => ({
  workflow: 'replaceOrder',
  id: replacementWorkflowId(idPart(reference)),
  queue: 'orchestrator',
  args: [{ reference }],
  attributes: [{ key: rxTask, value: ownTaskId(taskId) }],
  summary: `Replace a shipped order: ${ownTaskId(reference)}`,
});

/** Orders a claimed replacement (D120), or joins its run. */
export const replaceOrder = (temporal: Client, replacing: Replacing, withinMs: number) =>
  startOrJoin(temporal, replacement(replacing), withinMs);

/** Restarts the run of a replacement that was lost. @returns whether it was lost */
export async function restartReplacement(temporal: Client, replacing: Replacing): Promise<boolean> {
  if (await isRunning(temporal, replacement(replacing).id)) return false;
  await replaceOrder(temporal, replacing, 0);
  return true;
}

/** Restarts a change whose workflow was lost. @returns whether it was lost */
export async function restartOrderChange(temporal: Client, change: OpenChange): Promise<boolean> {
  const { taskId, reference, changing, rerouteTo, rerouteShipTo, reason, stopRefills, withoutOrder } = change;
  const requestedBy = change.requestedBy ?? '';
  const shipTo = rerouteShipTo ?? undefined;
  const isReroute = changing === 'reroute' && rerouteTo !== null;
  if (await isRunning(temporal, (isReroute ? reroute(taskId) : cancellation(taskId)).id)) return false;
  if (isReroute)
    await rerouteOrder(temporal, taskId, { reference, pharmacy: rerouteTo, shipTo, requestedBy }, 0);
  else
    await cancelApproval(
      temporal,
      taskId,
      { reference, reason: reason ?? '', stopRefills, withoutOrder, requestedBy },
      0,
    );
  return true;
}

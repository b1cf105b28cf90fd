import { ownTaskId } from '../../domain/clients.js';
import { continueAsNew, ParentClosePolicy, setCurrentDetails, startChild } from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { RefundActivities } from '../../activities/orchestrator/refunds.js';
import { giveBackWorkflowId } from '../ids.js';
import { ownTransactions } from '../proxies.js';
import { rxTask } from '../search-attributes.js';
import { giveBack } from './give-back.js';

const records = ownTransactions<RefundActivities>();

/**
 * Starts the refund of every cancelled task whose charge is not fully refunded, page by page (D153). Its runs refund
 * under the same key as the cancellation, so nothing is refunded twice.
 * @returns how many refunds it started
 */
export async function refundCancelled(done: { after: string; started: number } = { after: '', started: 0 }) {
  const { after } = done;
  let { started } = done;
  const page = await records('List what is not refunded').listUnrefunded({ after });
  for (const { reference, taskId, part } of page) if (await start(reference, taskId, part)) started += 1;
  const last = page.at(-1);
  if (last) return continueAsNew<typeof refundCancelled>({ after: last.reference, started });
  setCurrentDetails(`**Done**, ${started} refunds started.`);
  return { started };
}

/** @returns false if a run is refunding it already */
async function start(reference: string, taskId: string, part: string): Promise<boolean> {
  try {
    await startChild(giveBack, {
      workflowId: giveBackWorkflowId(part),
      args: [reference],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      staticSummary: `Refund ${ownTaskId(reference)}`,
      typedSearchAttributes: [{ key: rxTask, value: ownTaskId(taskId) }],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

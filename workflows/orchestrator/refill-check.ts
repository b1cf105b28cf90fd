import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  ChildWorkflowFailure,
  continueAsNew,
  executeChild,
  ParentClosePolicy,
  setCurrentDetails,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { DueRefill, RefillCheckActivities } from '../../activities/orchestrator/refill-checks.js';
import { failureTypes } from '../../domain/failures.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { refillReference, refillTaskId } from '../../domain/orchestrator/refills.js';
import { refillWorkflowId } from '../ids.js';
import type { Order } from './pipeline.js';
import { processRefill } from './process-refill.js';
import { ordinary, ownTransactions } from '../proxies.js';
import { rxTask } from '../search-attributes.js';

/** Refills that run concurrently; the queue's few slots limit the load. */
const pageSize = 20;
/** About 3,000 history events per run. */
const pagesPerRun = 25;

// The check fails after about ten seconds without a list (D41).
const listing = ordinary<RefillCheckActivities>({
  startToCloseTimeout: '16 s',
  retry: { maximumAttempts: 6, initialInterval: '500 ms', maximumInterval: '3 s' },
});
const records = ownTransactions<RefillCheckActivities>();

export interface Progress {
  checkId: string;
  total: number;
  /** Position of the last entry with a result. */
  after: number;
}
/** The caller's key; undefined for a scheduled check (D88). */
type Asked = Pick<Order, 'requestedBy'>;
/** A trial's check looks at some schedules only (D146), and a client's at its own (D140). */
type Chosen = Parameters<RefillCheckActivities['announceRefills']>[0];

/**
 * Sends every due refill, page by page, which bounds memory and history. Concurrent checks are safe, because each
 * refill is claimed by its number. A cancelled check first completes its page.
 */
export async function refillCheck(
  check: Asked & Chosen & Partial<Progress> = {},
): Promise<{ checkId: string; total: number }> {
  const { requestedBy } = check;
  const { checkId, total, after } = isBegun(check)
    ? check
    : await open({ scheduleIds: check.scheduleIds, client: check.client });
  let position = after;
  for (let page = 0; page < pagesPerRun && position < total; page += 1) {
    setCurrentDetails(`**${position} of ${total}** schedules done.`);
    await CancellationScope.nonCancellable(() => runPage(checkId, position, requestedBy));
    position += pageSize;
    if (CancellationScope.current().consideredCancelled) throw stoppedAt(Math.min(position, total), total);
  }
  if (position < total)
    return continueAsNew<typeof refillCheck>({ checkId, total, after: position, requestedBy });
  setCurrentDetails(`**Done**, ${total} schedules.`);
  return { checkId, total };
}

const isBegun = (check: Partial<Progress>): check is Progress => check.checkId !== undefined;

async function open(chosen: Chosen): Promise<Progress> {
  const checkId = uuid4();
  const total = await listing('List the schedules that are due').listDueSchedules({ checkId, ...chosen });
  let isMore = true;
  while (isMore) isMore = await records('Announce refills that are due soon').announceRefills(chosen);
  return { checkId, total, after: 0 };
}

async function runPage(checkId: string, after: number, requestedBy: string | undefined): Promise<void> {
  const due = await records('Judge the next schedules').judgePage({ checkId, after, size: pageSize });
  const outcomes = await Promise.all(due.map((refill) => run(refill, requestedBy)));
  if (outcomes.length > 0) await records('Record the results').recordPage({ checkId, outcomes });
}

function stoppedAt(position: number, total: number): CancelledFailure {
  setCurrentDetails(
    `**Cancelled** after ${position} of ${total} schedules; the next check sends the others.`,
  );
  return new CancelledFailure('Cancelled by an operator');
}

async function run({ position, ...refill }: DueRefill, requestedBy: string | undefined) {
  const { scheduleId, n, medication } = refill;
  const outcome = (reason: string | null) => ({ position, processed: reason === null, reason });
  try {
    await executeChild(processRefill, {
      workflowId: refillWorkflowId(scheduleId, n),
      args: [{ ...refill, requestedBy }],
      // The end of the check does not end its refills.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: `Refill ${n} · ${medication} · schedule ${scheduleId}`,
      staticDetails: `**Reference** ${refillReference(scheduleId, n)}\n\n**Check** ${workflowInfo().workflowId}`,
      typedSearchAttributes: [{ key: rxTask, value: refillTaskId(scheduleId) }],
    });
    return outcome(null);
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return outcome('already_running');
    if (error instanceof ChildWorkflowFailure) return outcome(failedStepOf(error));
    throw error;
  }
}

function failedStepOf({ cause }: ChildWorkflowFailure): string {
  if (!(cause instanceof ApplicationFailure)) return 'failed';
  if (cause.type === failureTypes.notDue) return 'not_due';
  return (cause.details?.[0] as PipelineResult | undefined)?.failedStep ?? 'failed';
}

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
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { refillReference, refillTaskId } from '../../domain/orchestrator/refills.js';
import { refillWorkflowId } from '../ids.js';
import type { Order } from './pipeline.js';
import { processRefill } from './process-refill.js';
import { ordinary, ownTransactions } from '../proxies.js';
import { rxTask } from '../search-attributes.js';

/** Refills of one page, run side by side; the queue's few slots are what bounds the load. */
const pageSize = 20;
/** Pages per run of this workflow: some 3,000 events, far from the server's limits. */
const pagesPerRun = 25;

// Some ten seconds without a list are an error of the check (D41): one statement that hangs, or six that fail.
const listing = ordinary<RefillCheckActivities>({
  startToCloseTimeout: '16 s',
  retry: { maximumAttempts: 6, initialInterval: '500 ms', maximumInterval: '3 s' },
});
const records = ownTransactions<RefillCheckActivities>();

export interface Progress {
  checkId: string;
  total: number;
  /** Entries up to this position have their result. */
  after: number;
}
/** The key of whoever asked for the check; nobody's where it is its time (D88). */
type Asked = Pick<Order, 'requestedBy'>;

/**
 * Sends every refill that is due: page by page, all refills of a page awaited before the next, so that memory and
 * history stay bounded whatever the day's size. Safe to run beside another: a refill is claimed by its number. Cancelled,
 * it ends with the page under way, whose refills are carried through.
 * @returns the check's id, under which its results are recorded
 */
export async function refillCheck(
  check: Asked & Partial<Progress> = {},
): Promise<{ checkId: string; total: number }> {
  const { requestedBy } = check;
  const { checkId, total, after } = isBegun(check) ? check : await open();
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

async function open(): Promise<Progress> {
  const checkId = uuid4();
  const total = await listing('List the schedules that are due').listDueSchedules({ checkId });
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

/** Runs one refill to its end and says what came of it. */
async function run({ position, ...refill }: DueRefill, requestedBy: string | undefined) {
  const { scheduleId, n, medication } = refill;
  const outcome = (reason: string | null) => ({ position, processed: reason === null, reason });
  try {
    await executeChild(processRefill, {
      workflowId: refillWorkflowId(scheduleId, n),
      args: [{ ...refill, requestedBy }],
      // An operator who ends the check does not break off what is under way.
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
  const result =
    cause instanceof ApplicationFailure ? (cause.details?.[0] as PipelineResult | undefined) : undefined;
  return result?.failedStep ?? 'failed';
}

import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import type { SearchAttributeName } from '../domain/search-attributes.js';
import { stuckSignal } from '../workflows/messages.js';

const signalWithinMs = 5_000;
const listedWithinMs = 10_000;
/** An operator with more stuck runs uses the Web UI. */
const listed = 200;
const atOnce = 10;
const query = `ExecutionStatus = 'Running' and ${'RxStuck' satisfies SearchAttributeName} is not null`;

/** Signals a run that one of its activities has been failing for minutes. A closed run needs no signal. */
export async function noteStuck(
  temporal: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<void> {
  const handle = temporal.workflow.getHandle(workflowId, runId);
  try {
    await temporal.withDeadline(Date.now() + signalWithinMs, () => handle.signal(stuckSignal));
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}

/** A run whose step has been failing for over five minutes (D109). */
export interface StuckRun {
  workflowId: string;
  runId: string;
  workflow: string;
  /** A step of the pipeline, else the activity. */
  step: string;
  since: Date;
  /** Null during an attempt. */
  nextTryAt: Date | null;
  taskId: string | null;
  submissionId: string | null;
  pharmacy: string | null;
}

/**
 * Lists the newest 200 stuck runs. It reads search attributes only, since payloads need the keys of the run's service
 * (D90).
 */
export const listStuckRuns = (temporal: Client): Promise<{ runs: StuckRun[]; total: number }> =>
  temporal.withDeadline(Date.now() + listedWithinMs, () => list(temporal));

async function list(temporal: Client): Promise<{ runs: StuckRun[]; total: number }> {
  const { namespace } = temporal.options;
  const [{ executions }, { count }] = await Promise.all([
    temporal.workflowService.listWorkflowExecutions({ namespace, query, pageSize: listed }),
    temporal.workflowService.countWorkflowExecutions({ namespace, query }),
  ]);
  const runs: StuckRun[] = [];
  for (let at = 0; at < executions.length; at += atOnce)
    runs.push(...(await Promise.all(executions.slice(at, at + atOnce).map(read))));
  return { runs, total: Number(count) };

  async function read({ execution, type, searchAttributes }: (typeof executions)[number]): Promise<StuckRun> {
    const value = (name: SearchAttributeName): string | null => {
      const payload = searchAttributes?.indexedFields?.[name];
      return payload ? defaultPayloadConverter.fromPayload<string | null>(payload) : null;
    };
    const workflowId = execution?.workflowId ?? '';
    const nextTry = value('RxNextTry');
    return {
      workflowId,
      runId: execution?.runId ?? '',
      workflow: type?.name ?? '',
      step: value('RxStuck') ?? '',
      since: new Date(value('RxStuckSince') ?? 0),
      nextTryAt: nextTry === null ? await nextAttempt(workflowId) : new Date(nextTry),
      taskId: value('RxTask'),
      submissionId: value('RxSubmission'),
      pharmacy: value('RxPharmacy'),
    };
  }

  async function nextAttempt(workflowId: string): Promise<Date | null> {
    const { pendingActivities } = await temporal.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId },
    });
    const times = pendingActivities.flatMap(({ scheduledTime, attempt }) =>
      scheduledTime?.seconds && attempt && attempt > 1 ? [Number(scheduledTime.seconds) * 1_000] : [],
    );
    return times.length > 0 ? new Date(Math.min(...times)) : null;
  }
}

import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  type Client,
  isGrpcServiceError,
  TerminatedFailure,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type {
  Priority,
  SearchAttributePair,
  SignalDefinition,
  UpdateDefinition,
  Workflow,
} from '@temporalio/common';
import type * as workflows from '../workflows/index.js';
import { recheckSignal } from '../workflows/messages.js';
import { taskQueues, type TaskQueue } from '../workflows/queues.js';

type Workflows = typeof workflows;
/** Starting a workflow that was renamed does not compile. */
export type WorkflowName = keyof Workflows;
export type ResultOf<N extends WorkflowName> = Awaited<ReturnType<Workflows[N]>>;

export interface Run<N extends WorkflowName> {
  workflow: N;
  id: string;
  queue: TaskQueue;
  args: Parameters<Workflows[N]>;
  summary: string;
  details?: string;
  attributes?: SearchAttributePair[];
  priority?: Priority;
  /** Hash of the request. Another purpose under the same id, or none, conflicts; requests without a purpose join. */
  purpose?: string;
  /** A completed run is not run again. */
  once?: true;
  /** Delays a run that is started; an open one gets the signal at once. */
  delayMs?: number | undefined;
  /** Called when this request starts the run; not when it joins one. */
  onStart?: (() => void) | undefined;
}

export type Outcome<T> =
  | { state: 'completed'; result: T; joined: Joined }
  | { state: 'failed'; failure: Failure; joined: Joined }
  /** Terminated or cancelled by an operator. */
  | { state: 'terminated'; joined: Joined; runId: string }
  /** The run continues, and the same request finds it again. */
  | { state: 'timed_out'; runId: string }
  /** The id belongs to a run with another purpose. */
  | { state: 'conflict' };

/** False if the request started the run; else the state in which it found the run. */
type Joined = false | 'running' | 'closed';

export interface Failure {
  type: string | undefined;
  message: string;
  details: readonly unknown[];
}

/** Time limit for the start of a run, even if its caller does not wait for the end. */
const startWithinMs = 5_000;

/**
 * Starts a run, or joins the one under its id, and waits for its end.
 * @param withinMs how long to wait; 0 returns `timed_out` once the run exists
 * @throws a gRPC error while Temporal is unavailable
 */
export async function startOrJoin<N extends WorkflowName>(
  temporal: Client,
  run: Run<N>,
  withinMs: number,
): Promise<Outcome<ResultOf<N>>> {
  const deadline = Date.now() + withinMs;
  const begun = await temporal.withDeadline(Date.now() + Math.max(withinMs, startWithinMs), () =>
    startOrDescribe(temporal, run),
  );
  if (begun === 'conflict') return { state: 'conflict' };
  const { handle, runId, joined } = begun;
  if (withinMs === 0) return { state: 'timed_out', runId };
  try {
    // The worker's connection ignores an abort signal, so this sets a deadline.
    const result = (await temporal.withDeadline(deadline, () => handle.result())) as ResultOf<N>;
    return { state: 'completed', result, joined };
  } catch (error) {
    if (error instanceof WorkflowFailedError) {
      const failure = failureOf(error);
      return failure ? { state: 'failed', failure, joined } : { state: 'terminated', joined, runId };
    }
    if (hasTimedOut(error)) return { state: 'timed_out', runId };
    throw error;
  }
}

interface Started {
  handle: WorkflowHandle;
  /** The first run of the chain, which identifies the record. */
  runId: string;
  joined: Joined;
}

/**
 * Temporal's USE_EXISTING would join any open run of the id and drop the new input. So the start fails, and the memo
 * is compared.
 */
async function startOrDescribe<N extends WorkflowName>(
  temporal: Client,
  run: Run<N>,
): Promise<Started | 'conflict'> {
  const { id, purpose } = run;
  try {
    const handle = await temporal.workflow.start<Workflow>(run.workflow, {
      ...optionsOf(run),
      workflowIdConflictPolicy: 'FAIL',
      requestEagerStart: true,
      ...(purpose === undefined ? {} : { memo: { purpose } }),
    });
    run.onStart?.();
    return { handle, runId: handle.firstExecutionRunId, joined: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const { memo, status, runId, raw } = await temporal.workflow.getHandle(id).describe();
  if (memo?.['purpose'] !== purpose) return 'conflict';
  return {
    handle: temporal.workflow.getHandle(id, runId),
    runId: raw.workflowExecutionInfo?.firstRunId ?? runId,
    joined: status.name === 'RUNNING' ? 'running' : 'closed',
  };
}

/** Why a run failed; undefined when an operator ended it. A local activity's failure comes without an envelope. */
function failureOf({ cause }: WorkflowFailedError): Failure | undefined {
  if (cause instanceof TerminatedFailure || cause instanceof CancelledFailure) return undefined;
  const inner = cause instanceof ActivityFailure ? cause.cause : cause;
  const { type, details } = inner instanceof ApplicationFailure ? inner : {};
  return { type: type ?? undefined, message: inner?.message ?? 'No reason given', details: details ?? [] };
}

/** The answer to an update; `closed`: the run completed before, and is not run again. */
export type Answer<T> = { state: 'completed'; result: T } | { state: 'timed_out' } | { state: 'closed' };

/**
 * Updates a run and waits for the answer; starts the run if there is none. If the run closes during the update, the
 * call repeats and reaches the next run.
 */
export async function updateWithStart<N extends WorkflowName, T, A extends unknown[]>(
  temporal: Client,
  run: Run<N>,
  { update, args, withinMs }: { update: UpdateDefinition<T, A>; args: NoInfer<A>; withinMs: number },
): Promise<Answer<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const startWorkflowOperation = new WithStartWorkflowOperation<Workflow>(run.workflow, {
      ...optionsOf(run),
      workflowIdConflictPolicy: 'USE_EXISTING',
    });
    try {
      const result = await temporal.withDeadline(deadline, () =>
        temporal.workflow.executeUpdateWithStart<Workflow, T, A>(update, {
          args,
          startWorkflowOperation,
        }),
      );
      return { state: 'completed', result };
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return { state: 'closed' };
      if (hasTimedOut(error) || Date.now() >= deadline) return { state: 'timed_out' };
      if (!closedMeanwhile(error)) throw error;
    }
  }
}

/** Signals a run, and starts it if there is none. */
export async function signalWithStart<N extends WorkflowName, A extends unknown[]>(
  temporal: Client,
  run: Run<N>,
  message: SignalDefinition<A>,
  args: NoInfer<A>,
): Promise<void> {
  await temporal.workflow.signalWithStart<Workflow, unknown[]>(run.workflow, {
    ...optionsOf(run),
    signal: message.name,
    signalArgs: args,
  });
}

/** Signals a run to check its table, and starts it if there is none. */
export const signalRecheck = <N extends WorkflowName>(temporal: Client, run: Run<N>): Promise<void> =>
  signalWithStart(temporal, run, recheckSignal, []);

/** Signals the open run under an id. @returns whether there is one */
export async function signal<A extends unknown[]>(
  temporal: Client,
  workflowId: string,
  { message, args, withinMs }: { message: SignalDefinition<A>; args: NoInfer<A>; withinMs: number },
): Promise<boolean> {
  const handle = temporal.workflow.getHandle(workflowId);
  try {
    await temporal.withDeadline(Date.now() + withinMs, () => handle.signal(message, ...args));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/**
 * Returns whether a workflow has an open run, which can still close its record.
 * @param firstRunId limits the check to this chain of runs
 */
export async function isRunning(temporal: Client, workflowId: string, firstRunId?: string): Promise<boolean> {
  try {
    const { status, raw } = await temporal.workflow.getHandle(workflowId).describe();
    if (status.name !== 'RUNNING') return false;
    return firstRunId === undefined || raw.workflowExecutionInfo?.firstRunId === firstRunId;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

const optionsOf = <N extends WorkflowName>({
  args,
  details,
  attributes,
  delayMs,
  priority,
  ...run
}: Run<N>) => ({
  workflowId: run.id,
  taskQueue: taskQueues[run.queue],
  args,
  staticSummary: run.summary,
  ...(details === undefined ? {} : { staticDetails: details }),
  ...(attributes === undefined ? {} : { typedSearchAttributes: attributes }),
  ...(delayMs === undefined ? {} : { startDelay: delayMs }),
  ...(priority === undefined ? {} : { priority }),
  ...(run.once ? { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const } : {}),
});

const abortedCode = 10;

/** The client replaces the code NOT_FOUND by an error of its own. */
const closedMeanwhile = (error: unknown): boolean => {
  if (error instanceof WorkflowNotFoundError) return true;
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : error;
  return (
    codeOf(cause) === abortedCode ||
    (cause as { type?: unknown } | undefined)?.type === 'AcceptedUpdateCompletedWorkflow'
  );
};

/** CANCELLED and DEADLINE_EXCEEDED: the call decides which of them a deadline gives. */
const expiredCodes = [1, 4];
/** These, RESOURCE_EXHAUSTED, ABORTED and UNAVAILABLE. */
const awayCodes = [...expiredCodes, 8, abortedCode, 14];

const hasTimedOut = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || expiredCodes.includes(codeOf(error) ?? 0);

/** Returns whether Temporal is unavailable or overloaded, rather than the request wrong. */
export const isTemporalAway = (error: unknown): boolean => awayCodes.includes(codeOf(error) ?? 0);

function codeOf(error: unknown): number | undefined {
  const fault = isGrpcServiceError(error) ? error : (error as { cause?: unknown } | undefined)?.cause;
  return isGrpcServiceError(fault) ? fault.code : undefined;
}

/** Checks that Temporal answers. @throws a gRPC error if it does not in time */
export async function ping(temporal: Client, withinMs: number): Promise<void> {
  await temporal.withDeadline(Date.now() + withinMs, () => temporal.workflowService.getSystemInfo({}));
}

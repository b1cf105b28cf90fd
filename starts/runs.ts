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
/** The names of the workflows there are: to start one that was renamed does not compile. */
export type WorkflowName = keyof Workflows;
export type ResultOf<N extends WorkflowName> = Awaited<ReturnType<Workflows[N]>>;

/** A run as its service describes it: what it is called, where it runs and what an operator reads of it. */
export interface Run<N extends WorkflowName> {
  workflow: N;
  /** From workflows/ids.ts. */
  id: string;
  queue: TaskQueue;
  args: Parameters<Workflows[N]>;
  /** One line in the list of runs. */
  summary: string;
  /** A few lines on the run's own page. */
  details?: string;
  attributes?: SearchAttributePair[];
  /** Of starts/priorities.ts; a run without one is like most. */
  priority?: Priority;
  /** Hash of what the run is for. A request under the same id for something else conflicts; without it all requests join. */
  purpose?: string;
  /** Once it has ended well it is not run again. */
  once?: true;
  /** A run that is started begins only then; one that is open is told at once. */
  delayMs?: number | undefined;
  /** Hears that this request has started the run, and with it what it is handed; a request that joins does not. */
  onStart?: (() => void) | undefined;
}

/** What became of a run within the time that its caller waits. Every start ends in one of these. */
export type Outcome<T> =
  | { state: 'completed'; result: T; joined: Joined }
  | { state: 'failed'; failure: Failure; joined: Joined }
  /** Ended from outside: terminated or cancelled by an operator. */
  | { state: 'terminated'; joined: Joined; runId: string }
  /** It goes on, and the same request finds it again. */
  | { state: 'timed_out'; runId: string }
  /** The id stands for something else. */
  | { state: 'conflict' };

/** Whether the request started the run (false), found it open, or found it closed. */
type Joined = false | 'running' | 'closed';

/** Why a run failed; the type is one of domain/failures.ts. */
export interface Failure {
  type: string | undefined;
  message: string;
  details: readonly unknown[];
}

/** How long the start of a run may take, however short its caller waits for the end. */
const startWithinMs = 5_000;

/**
 * Starts a run, or joins the one there is under its id, and waits for its end.
 * @param withinMs how long the caller waits; 0: `timed_out` as soon as the run is there
 * @throws a gRPC error while Temporal is away
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
    // A deadline, because the worker's connection ignores an abort signal.
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
  /** Of the first of a chain of runs: what the record of the run goes by. */
  runId: string;
  joined: Joined;
}

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
  // A run that a signal started states no purpose; its own claim decides.
  const held = memo?.['purpose'] ?? purpose;
  if (held !== purpose) return 'conflict';
  return {
    handle: temporal.workflow.getHandle(id, runId),
    runId: raw.workflowExecutionInfo?.firstRunId ?? runId,
    joined: status.name === 'RUNNING' ? 'running' : 'closed',
  };
}

/** Why a run failed; undefined when it was ended from outside. A local activity's failure comes without an envelope. */
function failureOf({ cause }: WorkflowFailedError): Failure | undefined {
  if (cause instanceof TerminatedFailure || cause instanceof CancelledFailure) return undefined;
  const inner = cause instanceof ActivityFailure ? cause.cause : cause;
  const { type, details } = inner instanceof ApplicationFailure ? inner : {};
  return { type: type ?? undefined, message: inner?.message ?? 'No reason given', details: details ?? [] };
}

/** What became of a question to a run; `closed`: the run completed before, and is not run again. */
export type Answer<T> = { state: 'completed'; result: T } | { state: 'timed_out' } | { state: 'closed' };

/**
 * Asks a run by an update and waits for its answer; starts the run where there is none. One that ends at the very
 * moment it is asked is asked again, since the next one will do.
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

/** Signals a run, and starts it where there is none. */
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

/** Tells a run to look at its table again, and starts it where there is none. */
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
 * Whether a workflow has an open run, which can still close the record that stands for it.
 * @param firstRunId of the chain of runs that is meant; any without it
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
  id,
  queue,
  args,
  summary,
  details,
  attributes,
  delayMs,
  priority,
  once,
}: Run<N>) => ({
  workflowId: id,
  taskQueue: taskQueues[queue],
  args,
  staticSummary: summary,
  ...(details === undefined ? {} : { staticDetails: details }),
  ...(attributes === undefined ? {} : { typedSearchAttributes: attributes }),
  ...(delayMs === undefined ? {} : { startDelay: delayMs }),
  ...(priority === undefined ? {} : { priority }),
  ...(once ? { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const } : {}),
});

const notFoundCode = 5;
const abortedCode = 10;

/** The run ended at the very moment it was asked. */
const closedMeanwhile = (error: unknown): boolean => {
  const cause = error instanceof WorkflowUpdateFailedError ? error.cause : error;
  return (
    [notFoundCode, abortedCode].includes(codeOf(cause) ?? 0) ||
    (cause as { type?: unknown } | undefined)?.type === 'AcceptedUpdateCompletedWorkflow'
  );
};

/** CANCELLED and DEADLINE_EXCEEDED: which of them a deadline ends in depends on the call. */
const expiredCodes = [1, 4];
/** These, RESOURCE_EXHAUSTED, ABORTED and UNAVAILABLE. */
const awayCodes = [...expiredCodes, 8, abortedCode, 14];

const hasTimedOut = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || expiredCodes.includes(codeOf(error) ?? 0);

/** Whether Temporal is away or too busy, which is no fault of what was asked. */
export const isTemporalAway = (error: unknown): boolean => awayCodes.includes(codeOf(error) ?? 0);

/** The gRPC code of an error that may be wrapped. */
function codeOf(error: unknown): number | undefined {
  const fault = isGrpcServiceError(error) ? error : (error as { cause?: unknown } | undefined)?.cause;
  return isGrpcServiceError(fault) ? fault.code : undefined;
}

/** Asks Temporal whether it answers at all. @throws a gRPC error when it does not within the time */
export async function ping(temporal: Client, withinMs: number): Promise<void> {
  await temporal.withDeadline(Date.now() + withinMs, () => temporal.workflowService.getSystemInfo({}));
}

import { type CallOptions, type ClientOptions, ServiceClient, sleep } from './client.js';
import { NoAnswer, Refusal } from './errors.js';
import type { components } from './pages/orchestrator.js';

export type ApproveRequest = components['schemas']['ApproveRequest'];
export type PipelineResult = components['schemas']['PipelineResult'];
export type Run = components['schemas']['OrchestrationRun'];
/** An event of the orchestrator; `type` tells what `data` has. The list grows, so ignore a type that you do not know. */
export type ClientEvent = components['schemas']['ClientEvent'];
export type EventType = ClientEvent['type'];
type Group<T> = T extends `${infer Name}.${string}` ? `${Name}.*` : never;

export interface FollowOptions {
  /** The cursor that you saved last: 0 begins with the oldest event, `latest` with the next new one. */
  after: number | 'latest';
  /** Keeps the cursor, after each handled event and after what a filter leaves out. */
  save: (after: number) => void | Promise<void>;
  /** Only these types; `order.*` is a group. */
  types?: readonly (EventType | Group<EventType>)[];
  /** Only events of this task. */
  taskId?: string;
  /** Ends the loop after an event of this type. Its cursor is not saved, so a program that starts again ends there too. */
  until?: EventType;
  /** Ends the loop. */
  signal?: AbortSignal;
}

/** A prescription was approved but its run failed; `result` has the failed step and the reason. */
export class ApprovalFailed extends Error {
  override name = 'ApprovalFailed';
  constructor(
    readonly taskId: string,
    readonly result: PipelineResult,
    /** The code of the cause (`docs/errors.md`), if the approval itself answered. */
    readonly code?: string,
    /** A later repeat of the same approval can succeed. */
    readonly retryable = false,
  ) {
    super(
      `${taskId} stopped at ${result.failedStep ?? 'an unknown step'}: ${result.error ?? 'no reason given'}`,
    );
  }
}

const firstLookMs = 500;
const longestPauseMs = 5_000;
/** Between two readings of events, if the first finds none. */
const emptyPauseMs = 2_000;

/** Approves prescriptions and follows their runs. */
export class Orchestrator extends ServiceClient<'orchestrator'> {
  constructor(options: ClientOptions) {
    super('orchestrator', options);
  }

  /**
   * Approves a prescription and waits for its completion. A repeated approval of a task returns the recorded result,
   * so repeat a call without an answer.
   * @throws ApprovalFailed if a step failed
   * @throws Refusal, with 409 if the task was approved with other details or denied
   */
  async approve(request: ApproveRequest, options: CallOptions = {}): Promise<PipelineResult> {
    const answer = await this.send('POST', '/orchestrator/approve', JSON.stringify(request), options);
    if (answer.status === 200) return (answer.body as { result: PipelineResult }).result;
    if (answer.status === 202) return this.waitForResult(request.taskId, options);
    const failed = (answer.body as { result?: PipelineResult } | null)?.result;
    if (failed) throw new ApprovalFailed(request.taskId, failed, answer.code, answer.retryable);
    throw this.refusalOf(answer);
  }

  /**
   * Waits until the newest run of a task ends, after a 202. `options.signal` stops the wait.
   * @throws ApprovalFailed if the run failed or was denied
   */
  async waitForResult(taskId: string, options: CallOptions = {}): Promise<PipelineResult> {
    for (let pause = firstLookMs; ; pause = Math.min(longestPauseMs, pause * 1.5)) {
      const { body } = await this.call('GET', '/orchestrator/status/{taskId}', { path: { taskId } }, options);
      const [newest] = body.runs;
      if (newest?.status === 'completed' && newest.result) return newest.result;
      if (newest && newest.status !== 'pending') throw new ApprovalFailed(taskId, resultOf(newest));
      await sleep(pause, options.signal);
    }
  }

  /**
   * Passes each event to `handle`, in order and one at a time, until `until` or `signal` ends it. It waits out outages.
   * The cursor advances after `handle` returns: an event whose handler threw, or whose cursor was not saved, comes again
   * with the same `id`.
   * @throws what `handle` or `save` throws
   * @throws Refusal for an error that a repeat does not mend
   */
  async follow(
    handle: (event: ClientEvent) => void | Promise<void>,
    { after, save, types, taskId, until, signal }: FollowOptions,
  ): Promise<void> {
    const filter = { ...(types && { types: types.join(',') }), ...(taskId !== undefined && { taskId }) };
    for (let cursor = after; ;) {
      const page = await this.#readEvents({ ...filter, after: String(cursor) }, signal);
      for (const event of page?.events ?? []) {
        if (isEnded(signal)) return;
        await handle(event);
        if (event.type === until) return;
        await save(event.sequence);
      }
      if (!page || isEnded(signal)) return;
      const isNew = page.nextAfter !== cursor;
      cursor = page.nextAfter;
      // The filter left out what lies between.
      if (isNew && page.events.at(-1)?.sequence !== cursor) await save(cursor);
      if (!isNew) await pauseUnlessEnded(emptyPauseMs, signal);
    }
  }

  /** A page of events, however long an outage lasts; undefined after an abort. */
  async #readEvents(query: { after: string; types?: string; taskId?: string }, signal?: AbortSignal) {
    while (!isEnded(signal))
      try {
        const options = signal ? { signal } : {};
        return (await this.call('GET', '/orchestrator/events', { query }, options)).body;
      } catch (error) {
        if (isEnded(signal)) return undefined;
        if (!(error instanceof NoAnswer || (error instanceof Refusal && error.retryable))) throw error;
        const toldMs = error instanceof Refusal ? (error.retryAfterSeconds ?? 0) * 1_000 : 0;
        await pauseUnlessEnded(Math.max(longestPauseMs, toldMs), signal);
      }
    return undefined;
  }
}

/** Read anew each time: an abort comes between two statements. */
const isEnded = (signal?: AbortSignal): boolean => signal?.aborted === true;

const pauseUnlessEnded = (ms: number, signal?: AbortSignal): Promise<void> =>
  sleep(ms, signal).catch(() => undefined);

/** The result of a run that was denied or terminated. */
const resultOf = ({ result, error, medication, status }: Run): PipelineResult =>
  result ?? {
    success: false,
    completedSteps: [],
    error: error ?? `The task was ${status}`,
    warnings: [],
    medication,
    patientName: '',
    state: '',
  };

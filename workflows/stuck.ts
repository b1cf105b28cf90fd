import {
  AsyncLocalStorage,
  CancellationScope,
  condition,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { stuckAfterMs } from '../domain/search-attributes.js';
import { rxNextTry, rxStuck, rxStuckSince, rxWaiting } from './search-attributes.js';

/** The pipeline step of an activity, whose name operators know better than the activity's. */
interface Step {
  name: string;
  /** Called when the local try has failed and the run starts to wait. */
  waits: () => void;
}
const steps = new AsyncLocalStorage<Step>();
export const currentStep = (): Step | undefined => steps.getStore();
export const inStep = <T>(step: Step, work: () => T): T => steps.run(step, work);

/** A step or activity that a run retries. */
export interface Trying {
  step: string;
  /** Epoch milliseconds of the first failure. */
  since: number;
  /** Epoch milliseconds; null if the server schedules the retries. */
  nextTryAt: number | null;
}

/** Shows the run as stuck after five minutes of failures, unless `isOver` first (D109). */
export function watch(trying: Trying, isOver: () => boolean): void {
  // The run may end meanwhile, and its cancellation does not end the timer.
  void CancellationScope.nonCancellable(async () => {
    const leftMs = trying.since + stuckAfterMs - Date.now();
    if (leftMs > 0 && (await condition(isOver, leftMs))) return;
    show(trying);
  });
}

function show({ step, since, nextTryAt }: Trying): void {
  upsertSearchAttributes([
    { key: rxStuck, value: step },
    { key: rxStuckSince, value: new Date(since) },
    { key: rxNextTry, value: nextTryAt === null ? null : new Date(nextTryAt) },
  ]);
}

/** The start of the same trouble in the run that continued as this one. */
const stuckSince = (step: string): number | undefined => {
  const known = workflowInfo().typedSearchAttributes;
  return known.get(rxStuck) === step ? known.get(rxStuckSince)?.getTime() : undefined;
};

/** Upserts nothing for a run that is not stuck. */
export function clearStuck(): void {
  if (workflowInfo().typedSearchAttributes.get(rxStuck) === undefined) return;
  upsertSearchAttributes([
    { key: rxStuck, value: null },
    { key: rxStuckSince, value: null },
    { key: rxNextTry, value: null },
  ]);
}

/** Upserts nothing for a run that does not wait. */
export function clearWaiting(): void {
  if (workflowInfo().typedSearchAttributes.get(rxWaiting) !== undefined)
    upsertSearchAttributes([{ key: rxWaiting, value: null }]);
}

/** Tracks the retries that a run schedules itself. The interceptor watches those of the server. */
export class Retries {
  private trying: Trying | undefined;

  /** @param since the first failure, if an earlier run had it; epoch milliseconds */
  failed({ step, pauseMs, since }: { step: string; pauseMs: number; since?: number }): void {
    const before = this.trying;
    const nextTryAt = Date.now() + pauseMs;
    const firstFailure = before?.step === step ? before.since : (since ?? stuckSince(step) ?? Date.now());
    const trying: Trying = { step, since: firstFailure, nextTryAt };
    this.trying = trying;
    if (firstFailure + stuckAfterMs < nextTryAt) watch(trying, () => this.trying !== trying);
  }

  /** Pauses after a fault of our own, for up to 30 s. @param outages the faults before it */
  async waitOutFault(step: string, outages: number): Promise<void> {
    const pauseMs = Math.min(2 ** outages, 30) * 1_000;
    this.failed({ step, pauseMs });
    await sleep(pauseMs);
  }

  succeeded(): void {
    this.trying = undefined;
    clearStuck();
  }
}

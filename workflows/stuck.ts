import {
  AsyncLocalStorage,
  CancellationScope,
  condition,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { stuckAfterMs } from '../domain/search-attributes.js';
import { rxNextTry, rxStuck, rxStuckSince } from './search-attributes.js';

/** The step that an activity belongs to, where it has one: operators know its name better than the activity's. */
interface Step {
  name: string;
  /** What was tried inside the workflow task did not succeed: from now on the run waits for it. */
  waits: () => void;
}
const steps = new AsyncLocalStorage<Step>();
export const currentStep = (): Step | undefined => steps.getStore();
export const inStep = <T>(step: Step, work: () => T): T => steps.run(step, work);

/** What a run keeps trying, from its first try in vain to its end. */
export interface Trying {
  step: string;
  /** Epoch milliseconds. */
  since: number;
  /** Epoch milliseconds; null where the server decides when it is tried again. */
  nextTryAt: number | null;
}

/**
 * Has operators find the run by what it has tried in vain for over five minutes (D109), from then on until `isOver`;
 * before that it is one timer, and nothing for what ends sooner.
 */
export function watch(trying: Trying, isOver: () => boolean): void {
  // Nobody waits for it: the run may end, and cancelling the run is no business of it.
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

/** Since when the run before this one, of which it is the continuation, has tried the same. */
const stuckSince = (step: string): number | undefined => {
  const known = workflowInfo().typedSearchAttributes;
  return known.get(rxStuck) === step ? known.get(rxStuckSince)?.getTime() : undefined;
};

/** Takes the run off the list again; nothing for one that is not on it. */
export function clearStuck(): void {
  if (workflowInfo().typedSearchAttributes.get(rxStuck) === undefined) return;
  upsertSearchAttributes([
    { key: rxStuck, value: null },
    { key: rxStuckSince, value: null },
    { key: rxNextTry, value: null },
  ]);
}

/**
 * For a run that makes the pauses between its tries itself: it says before each pause when the next try is, and when
 * it goes on. What the server tries again by itself is watched by the interceptor.
 */
export class Retries {
  private trying: Trying | undefined;

  /** @param step what is tried; `since` the first try in vain, where an earlier run made it, epoch milliseconds */
  failed({ step, pauseMs, since }: { step: string; pauseMs: number; since?: number }): void {
    const before = this.trying;
    const nextTryAt = Date.now() + pauseMs;
    const firstInVain = before?.step === step ? before.since : (since ?? stuckSince(step) ?? Date.now());
    const trying: Trying = { step, since: firstInVain, nextTryAt };
    this.trying = trying;
    if (firstInVain + stuckAfterMs < nextTryAt) watch(trying, () => this.trying !== trying);
  }

  succeeded(): void {
    this.trying = undefined;
    clearStuck();
  }
}

import {
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  TimeoutFailure,
} from '@temporalio/workflow';
import { type FailureType, failureTypes } from '../domain/failures.js';
import { currentStep } from './stuck.js';

/** An activity method as a workflow calls it. */
type Activities<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => Promise<infer O> ? (...args: I) => Promise<O> : never;
};
type Method = (...args: unknown[]) => Promise<unknown>;

/** How often an activity is scheduled anew because our own worker was lost in the middle of it, or stood still. */
const maxLostWorkers = 20;

/**
 * Ordinary activities, each call with the summary that an operator reads:
 * `const pharmacy = ordinary<PharmacyActivities>({…}); await pharmacy('4/7 Submit to pharmacy').submit(…)`.
 *
 * The budget is `maximumAttempts` times `startToCloseTimeout`. Every activity gives up by itself before its
 * start-to-close time is over, so when Temporal sees that time pass, it was our own worker that died: that uses up
 * no budget, and the activity is scheduled anew (D34). So it is where the worker only stood still during the call.
 */
export const ordinary =
  <A>(options: ActivityOptions) =>
  (summary: string, onLostWorker?: () => void): Activities<A> =>
    methods<A>((name, args) => scheduled(name, args, { ...options, summary }, onLostWorker));

/**
 * What reads its own earlier effect before it makes one, and carries a key: tried once inside the workflow task, which spares a trip through the server;
 * when that does not succeed, as an ordinary activity, so that an outage shows as one that is pending (design rule 8).
 */
export const localFirst =
  <A>(options: ActivityOptions) =>
  (summary: string): Activities<A> =>
    methods<A>((name, args) => {
      const local = proxyLocalActivities<Record<string, Method>>({
        startToCloseTimeout: '2500 ms',
        retry: { maximumAttempts: 1 },
        summary,
      });
      return (local[name] as Method)(...args).catch((error: unknown) => {
        if (isFinal(error)) throw error;
        currentStep()?.waits();
        return scheduled(name, args, { ...options, summary });
      });
    });

/** How often an external service that does not answer is tried (D34). */
const triesOfSilent = 3;

/**
 * Three tries of an external service that may not answer (D34), the first of them local. The activity ends with each
 * answer that is missing, so only these count: a lost worker or a failed statement of our own uses up none.
 * @param call makes one try; `isLast` says that no other follows
 */
export const threeTries =
  <A>(options: ActivityOptions) =>
  async <T>(
    summary: string,
    call: (activities: Activities<A>, isLast: boolean) => Promise<T>,
  ): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const activities = (tries === 1 ? localFirst<A>(options) : ordinary<A>(options))(summary);
      try {
        return await call(activities, tries === triesOfSilent);
      } catch (error) {
        const cause = causeOf(error);
        const isSilent = cause instanceof ApplicationFailure && cause.type === failureTypes.unavailable;
        if (!isSilent || tries === triesOfSilent) throw error;
        currentStep()?.waits();
        await sleep((cause.nextRetryDelay as number | undefined) ?? 500 * 2 ** (tries - 1));
      }
    }
  };

/**
 * Calls to our own services: no attempt of theirs is counted, since what fails there is an outage of ours. The activity
 * gives up by itself after `OWN_OUTAGE_MINUTES`, and is pending until then (D114).
 */
export const ownServices = <A>(limits: Pick<ActivityOptions, 'startToCloseTimeout' | 'heartbeatTimeout'>) =>
  ordinary<A>({ ...limits, retry: { initialInterval: '1 s', maximumInterval: '10 s' } });

/** Records in our own database, which must not be lost: its outage is nobody else's fault and is waited out (D34). */
export const ownRecords = <A>() =>
  localFirst<A>({
    startToCloseTimeout: '10 s',
    retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
  });

/** As `ownRecords`, where a statement may write several tables at once. */
export const ownTransactions = <A>() =>
  localFirst<A>({ startToCloseTimeout: '15 s', retry: { maximumInterval: '10 s' } });

/**
 * The server's names for these time-outs: it hands them to us instead of counting them as attempts. Where there is
 * no budget, its own retries do.
 */
const lostWorkerTypes = ['TemporalTimeout:StartToClose', 'TemporalTimeout:Heartbeat'];

function scheduled(
  name: string,
  args: unknown[],
  options: ActivityOptions,
  onLostWorker?: () => void,
  lostWorkers = 0,
): Promise<unknown> {
  const { retry } = options;
  const hasBudget = retry?.maximumAttempts !== undefined;
  const activity = proxyActivities<Record<string, Method>>(
    hasBudget ? { ...options, retry: { ...retry, nonRetryableErrorTypes: lostWorkerTypes } } : options,
  )[name] as Method;
  return activity(...args).catch((error: unknown) => {
    if (!workerWasLost(error) || lostWorkers === maxLostWorkers) throw error;
    onLostWorker?.();
    return scheduled(name, args, options, onLostWorker, lostWorkers + 1);
  });
}

const methods = <A>(call: (name: string, args: unknown[]) => Promise<unknown>): Activities<A> =>
  new Proxy({} as Activities<A>, {
    get:
      (_target, name) =>
      (...args: unknown[]) =>
        call(String(name), args),
  });

const workerWasLost = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  (stoodStill(error.cause) ||
    (error.cause instanceof TimeoutFailure &&
      (error.cause.timeoutType === 'START_TO_CLOSE' || error.cause.timeoutType === 'HEARTBEAT')));

/** What an activity says whose own process stood still during its call (activities/calls.ts). */
const stoodStill = (cause: unknown): boolean =>
  cause instanceof ApplicationFailure && cause.type === failureTypes.ownOutage && cause.nonRetryable === true;

/**
 * A refusal, or a cancellation: running it again elsewhere changes nothing. A local activity's failure comes bare,
 * without the envelope of an ordinary one.
 */
const isFinal = (error: unknown): boolean => {
  const cause = causeOf(error);
  if (cause instanceof ApplicationFailure) return cause.nonRetryable === true && !stoodStill(cause);
  return !(cause instanceof TimeoutFailure);
};

/** What failed, out of the envelope that an ordinary activity's failure comes in and a local one's does not. */
export const causeOf = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);

/**
 * Type and message of what failed, out of the envelopes Temporal puts around it. Messages of our own failure types
 * are composed to be shown; any other stays in the history, since it may quote what it should not.
 */
export function failureOf(error: unknown): Failure {
  const inner = causeOf(error);
  if (inner instanceof ApplicationFailure && isFailureType(inner.type))
    return { type: inner.type, message: inner.message, details: inner.details ?? [] };
  const message = inner instanceof TimeoutFailure ? 'No answer in time' : 'Internal failure';
  return { type: failureTypes.unavailable, message, details: [] };
}

interface Failure {
  type: FailureType;
  message: string;
  /** What the activity sent along; nothing of a failure that is not ours. */
  details: readonly unknown[];
}

const known = new Set<string>(Object.values(failureTypes));
const isFailureType = (type: string | null | undefined): type is FailureType => known.has(type ?? '');

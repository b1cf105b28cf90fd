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

type Activities<A> = {
  [K in keyof A]: A[K] extends (...args: infer I) => Promise<infer O> ? (...args: I) => Promise<O> : never;
};
type Method = (...args: unknown[]) => Promise<unknown>;

/** Reschedules of an activity whose worker was lost, or stood still. */
const maxLostWorkers = 20;

/**
 * Ordinary activities, each call with the summary that an operator reads:
 * `const pharmacy = ordinary<PharmacyActivities>({…}); await pharmacy('4/7 Submit to pharmacy').submit(…)`.
 *
 * The budget is `maximumAttempts` times `startToCloseTimeout`. Every activity ends by itself before this timeout, so a
 * timeout means that our worker was lost. It uses up no budget, and the activity is scheduled anew (D34).
 */
export const ordinary =
  <A>(options: ActivityOptions) =>
  (summary: string, onLostWorker?: () => void): Activities<A> =>
    methods<A>((name, args) => scheduled(name, args, { ...options, summary }, onLostWorker));

/**
 * For idempotent activities. One local try saves a trip through the server. Then an ordinary activity shows an outage
 * as a pending one (design rule 8).
 * @param localMs start-to-close time of the local try
 */
export const localFirst =
  <A>(options: ActivityOptions, localMs = 2_500) =>
  (summary: string): Activities<A> =>
    methods<A>((name, args) => {
      const local = proxyLocalActivities<Record<string, Method>>({
        startToCloseTimeout: localMs,
        retry: { maximumAttempts: 1 },
        summary,
      });
      return (local[name] as Method)(...args).catch((error: unknown) => {
        if (isFinal(error)) throw error;
        currentStep()?.waits();
        return scheduled(name, args, { ...options, summary });
      });
    });

/** Tries of an external service that does not answer (D34). */
const triesOfSilent = 3;

/**
 * Three tries of an external service that may not answer (D34), the first of them local. Only missing answers count:
 * a lost worker or an outage of our own uses up no try.
 * @param localMs start-to-close time of the local try; by default that of `localFirst`
 */
export const threeTries =
  <A>(options: ActivityOptions, localMs?: number) =>
  async <T>(
    summary: string,
    call: (activities: Activities<A>, isLast: boolean) => Promise<T>,
  ): Promise<T> => {
    for (let tries = 1; ; tries += 1) {
      const activities = (tries === 1 ? localFirst<A>(options, localMs) : ordinary<A>(options))(summary);
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

/** Calls to our own services, with unlimited attempts. The activity gives up after `OWN_OUTAGE_MINUTES` (D114). */
export const ownServices = <A>(limits: Pick<ActivityOptions, 'startToCloseTimeout' | 'heartbeatTimeout'>) =>
  ordinary<A>({ ...limits, retry: { initialInterval: '1 s', maximumInterval: '10 s' } });

/** Writes to our own database, whose outages are waited out (D34). */
export const ownRecords = <A>() =>
  localFirst<A>({
    startToCloseTimeout: '10 s',
    retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
  });

/** As `ownRecords`, where a statement may write several tables at once. */
export const ownTransactions = <A>() =>
  localFirst<A>({ startToCloseTimeout: '15 s', retry: { maximumInterval: '10 s' } });

/** As non-retryable error types, these timeouts reach the workflow instead of counting as attempts. */
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

/** The failure of an activity whose process stood still during its call (activities/calls.ts). */
const stoodStill = (cause: unknown): boolean =>
  cause instanceof ApplicationFailure && cause.type === failureTypes.ownOutage && cause.nonRetryable === true;

/** A rejection or a cancellation, which a retry would not change. */
const isFinal = (error: unknown): boolean => {
  const cause = causeOf(error);
  if (cause instanceof ApplicationFailure) return cause.nonRetryable === true && !stoodStill(cause);
  return !(cause instanceof TimeoutFailure);
};

/** Unwraps the failure of an ordinary activity; that of a local one has no wrapper. */
export const causeOf = (error: unknown): unknown => (error instanceof ActivityFailure ? error.cause : error);

/**
 * Type and message of a failure. Messages of our own failure types are safe to show. Any other message stays in the
 * history, since it may quote personal data.
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
  /** Empty for a failure that is not ours. */
  details: readonly unknown[];
}

const known = new Set<string>(Object.values(failureTypes));
const isFailureType = (type: string | null | undefined): type is FailureType => known.has(type ?? '');

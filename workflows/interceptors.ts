import type { Headers } from '@temporalio/common';
import {
  ApplicationFailure,
  getCurrentDetails,
  log,
  setCurrentDetails,
  setHandler,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import { failureTypes } from '../domain/failures.js';
import { isUnencryptedPayload, requestIdHeader, traceparentHeader } from '../domain/temporal.js';
import { stuckSignal } from './messages.js';
import { clearStuck, currentStep, type Trying, watch } from './stuck.js';

/**
 * Rejects unencrypted payloads (D90): a start, an update or a query fails. A signal is dropped with a warning, since a
 * stranger must not end a run of ours.
 */
const rejectUnencrypted: WorkflowInboundCallsInterceptor = {
  execute: (input, next) => (isUnencrypted(input) ? reject('This start') : next(input)),
  handleUpdate: (input, next) => (isUnencrypted(input) ? reject(`The update ${input.name}`) : next(input)),
  handleQuery: (input, next) => (isUnencrypted(input) ? reject(`The query ${input.queryName}`) : next(input)),
  handleSignal(input, next) {
    if (!isUnencrypted(input)) return next(input);
    const reason = reasonOf(`A signal ${input.signalName}`);
    log.warn(reason);
    setCurrentDetails([getCurrentDetails(), `**${reason}**`].filter(Boolean).join('\n\n'));
    return Promise.resolve();
  },
};

const isUnencrypted = ({ args }: { args: unknown[] }): boolean => args.some(isUnencryptedPayload);
const reasonOf = (what: string): string => `${what} was rejected: its payload is not encrypted.`;
const reject = (what: string): Promise<never> =>
  Promise.reject(ApplicationFailure.nonRetryable(reasonOf(what), failureTypes.notEncrypted));

/** An activity between its scheduling and its end. */
interface Pending extends Trying {
  isOver: boolean;
  isWatched: boolean;
}

const passedOn: readonly string[] = [requestIdHeader, traceparentHeader];

/**
 * Passes the run's request id and trace on to its activities and children (D11). Shows an activity that keeps failing
 * as `RxStuck` (D109). The worker signals such an activity, so a healthy run has no overhead.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  const pending = new Set<Pending>();
  const isStuck = () => {
    const [oldest] = pending;
    if (!oldest || oldest.isWatched) return;
    oldest.isWatched = true;
    watch(oldest, () => oldest.isOver);
  };
  return {
    inbound: [
      rejectUnencrypted,
      {
        execute(input, next) {
          const given = Object.entries(input.headers);
          carried = Object.fromEntries(given.filter(([name]) => passedOn.includes(name)));
          setHandler(stuckSignal, isStuck);
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity(input, next) {
          const activity: Pending = {
            step: currentStep()?.name ?? input.activityType,
            since: Date.now(),
            nextTryAt: null,
            isOver: false,
            isWatched: false,
          };
          pending.add(activity);
          const ended = next({ ...input, headers: { ...input.headers, ...carried } });
          const over = () => {
            activity.isOver = true;
            pending.delete(activity);
            if (activity.isWatched) clearStuck();
          };
          ended.then(over, over);
          return ended;
        },
        scheduleLocalActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...carried } }),
        startChildWorkflowExecution: (input, next) =>
          next({ ...input, headers: { ...input.headers, ...carried } }),
      },
    ],
  };
};

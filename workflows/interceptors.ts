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
 * Refuses what came to the run unencrypted, and has the run say so (D90): it fails if it was started with it, an
 * update or a query fails, and a signal is dropped, since a stranger's word ends no run of ours.
 */
const refuseUnencrypted: WorkflowInboundCallsInterceptor = {
  execute: (input, next) => (isRefused(input) ? refusal('This start') : next(input)),
  handleUpdate: (input, next) => (isRefused(input) ? refusal(`The update ${input.name}`) : next(input)),
  handleQuery: (input, next) => (isRefused(input) ? refusal(`The query ${input.queryName}`) : next(input)),
  handleSignal(input, next) {
    if (!isRefused(input)) return next(input);
    const reason = reasonOf(`A signal ${input.signalName}`);
    log.warn(reason);
    setCurrentDetails([getCurrentDetails(), `**${reason}**`].filter(Boolean).join('\n\n'));
    return Promise.resolve();
  },
};

const isRefused = ({ args }: { args: unknown[] }): boolean => args.some(isUnencryptedPayload);
const reasonOf = (what: string): string => `${what} was refused: its payload is not encrypted.`;
const refusal = (what: string): Promise<never> =>
  Promise.reject(ApplicationFailure.nonRetryable(reasonOf(what), failureTypes.notEncrypted));

/** An activity between its scheduling and its end. */
interface Pending extends Trying {
  isOver: boolean;
  isWatched: boolean;
}

const handedOn: readonly string[] = [requestIdHeader, traceparentHeader];

/**
 * Passes the request id and the trace that a run was started with on to its activities and children (D11). Shows an
 * activity that keeps failing as `RxStuck` (D109). The worker signals that there is one, so a healthy run pays nothing.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  const pending = new Set<Pending>();
  const isStuck = () => {
    // Where several are pending, the one that has been for longest.
    const [oldest] = pending;
    if (!oldest || oldest.isWatched) return;
    oldest.isWatched = true;
    watch(oldest, () => oldest.isOver);
  };
  return {
    inbound: [
      refuseUnencrypted,
      {
        execute(input, next) {
          const given = Object.entries(input.headers);
          carried = Object.fromEntries(given.filter(([name]) => handedOn.includes(name)));
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
          // Beside what the run makes of it, which has it no later for that.
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

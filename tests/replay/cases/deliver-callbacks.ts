import type {
  CallbackActivities,
  DeliveryResult,
  NextCallback,
} from '../../../activities/router/callbacks.js';
import type { deliverCallbacks as workflow } from '../../../workflows/router/deliver-callbacks.js';
import type { CasesOf, Expected } from '../cases.js';

const first: NextCallback = {
  callbackId: '00000000-0000-5000-8000-000000000007',
  sequence: 1,
  kind: 'initial',
  series: 1,
  attempts: 0,
  firstAttemptAt: null,
  dueAt: null,
  lastError: null,
};
const arrived: DeliveryResult = {
  attempt: { at: '2026-01-01T00:00:00.000Z', durationMs: 5, status: 200, error: null },
};
const answered = (status: number): DeliveryResult => ({
  attempt: {
    at: '2026-01-01T00:00:00.000Z',
    durationMs: 5,
    status,
    error: `The receiver answered ${status}`,
  },
});

/** A queue of these callbacks, one per attempt, and what each attempt comes to. */
function delivering(expect: Expected, attempts: [NextCallback, DeliveryResult][]) {
  let done = 0;
  const activities: CallbackActivities = {
    nextCallback: async () => attempts[done]?.[0] ?? null,
    deliverCallback: async () => attempts[done++]?.[1] ?? { skipped: 'gone' },
    recordCallbackAttempt: async () => undefined,
  };
  return {
    args: ['00000000-0000-5000-8000-000000000008'] as [string],
    activities,
    startedBy: { signal: 'recheck', args: [] },
    expect,
  };
}

const oneRound = ['nextCallback', 'deliverCallback', 'recordCallbackAttempt'];
const judgedAs = (verdict: object) => ({ recordCallbackAttempt: [{ verdict }] });

/** It has failed before and its time has not come: the wait is a timer. */
function waiting() {
  const { activities, ...rest } = delivering(
    { behavior: 'a run that has to wait delivers in the end', inputs: judgedAs({ state: 'delivered' }) },
    [[first, arrived]],
  );
  let looks = 0;
  const later = { attempts: 3, firstAttemptAt: 0, lastError: 'The receiver answered 500' };
  const nextCallback = async ({ submissionId }: { submissionId: string }) =>
    looks++ === 0
      ? { ...first, ...later, dueAt: Date.now() + 2_000 }
      : activities.nextCallback({ submissionId });
  return { ...rest, activities: { ...activities, nextCallback } };
}

export const deliverCallbacks: CasesOf<typeof workflow> = {
  nothing: delivering({ behavior: 'a queue without any ends', calls: ['nextCallback'] }, []),
  delivered: delivering(
    {
      behavior: 'they are delivered one after the other',
      calls: [...oneRound, ...oneRound, 'nextCallback'],
      inputs: {
        recordCallbackAttempt: [{ verdict: { state: 'delivered' } }, { verdict: { state: 'delivered' } }],
      },
    },
    [
      [first, arrived],
      [{ ...first, sequence: 2, kind: 'update' }, arrived],
    ],
  ),
  failed: delivering(
    { behavior: 'one that did not arrive stays pending', inputs: judgedAs({ state: 'pending' }) },
    [[first, answered(500)]],
  ),
  unwanted: delivering(
    { behavior: 'all end for good when the receiver answers 410', inputs: judgedAs({ state: 'stopped' }) },
    [[first, answered(410)]],
  ),
  dead: delivering({ behavior: 'one is given up after 72 h', inputs: judgedAs({ state: 'dead' }) }, [
    [{ ...first, attempts: 90, firstAttemptAt: 0 }, answered(500)],
  ]),
  busy: {
    ...delivering(
      {
        behavior: 'they wait without an attempt while the receiver has enough to do',
        calls: ['nextCallback', 'deliverCallback', 'nextCallback'],
      },
      [[first, { skipped: 'busy' }]],
    ),
    skipTime: true,
  },
  waiting: waiting(),
  running: { ...delivering({ behavior: 'it is delivered' }, [[first, arrived]]), openAt: 'deliverCallback' },
};

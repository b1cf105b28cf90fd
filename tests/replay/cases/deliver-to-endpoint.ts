import type { EndpointActivities, NextBatch } from '../../../activities/orchestrator/event-endpoints.js';
import type { DeliveryAttempt } from '../../../activities/post-signed.js';
import type { deliverToEndpoint as workflow } from '../../../workflows/orchestrator/deliver-to-endpoint.js';
import type { CasesOf, Expected } from '../cases.js';

const first: NextBatch = {
  batchId: '00000000-0000-5000-8000-000000000007',
  events: 100,
  upTo: 100,
  series: 1,
  attempts: 0,
  firstAttemptAt: null,
  dueAt: null,
  lastError: null,
};
const taken: DeliveryAttempt = {
  at: '2026-01-01T00:00:00.000Z',
  durationMs: 5,
  status: 200,
  error: null,
};
const refused: DeliveryAttempt = { ...taken, status: 410, error: 'The receiver answered 410' };

/** An endpoint with these deliveries, one per attempt, and what each attempt comes to. */
export function delivering(expect: Expected, attempts: [NextBatch, DeliveryAttempt | null][]) {
  let done = 0;
  const activities: EndpointActivities = {
    nextBatch: async () => attempts[done]?.[0] ?? null,
    deliverBatch: async () => attempts[done++]?.[1] ?? null,
    recordBatchAttempt: async () => undefined,
    deliverTestEvent: async () => ({ status: 204, durationMs: 7 }),
  };
  return {
    args: ['acme'] as [string],
    activities,
    startedBy: { signal: 'recheck', args: [] },
    expect,
  };
}

const oneRound = ['nextBatch', 'deliverBatch', 'recordBatchAttempt'];

/** It has failed before and its time has not come: the wait is a timer. */
function waiting() {
  const { activities, ...rest } = delivering(
    {
      behavior: 'a delivery that has to wait is sent in the end',
      inputs: { recordBatchAttempt: [{ attempts: 4, error: null }] },
    },
    [[{ ...first, attempts: 3 }, taken]],
  );
  let looks = 0;
  const later = { attempts: 3, firstAttemptAt: 0, lastError: 'The receiver answered 500' };
  const nextBatch = async (input: { client: string }) =>
    looks++ === 0 ? { ...first, ...later, dueAt: Date.now() + 2_000 } : activities.nextBatch(input);
  return { ...rest, activities: { ...activities, nextBatch } };
}

export const deliverToEndpoint: CasesOf<typeof workflow> = {
  nothing: delivering({ behavior: 'an endpoint without events ends its run', calls: ['nextBatch'] }, []),
  delivered: delivering(
    {
      behavior: 'deliveries go out one after the other',
      calls: [...oneRound, ...oneRound, 'nextBatch'],
      inputs: {
        recordBatchAttempt: [
          { attempts: 1, error: null },
          { attempts: 1, error: null },
        ],
      },
    },
    [
      [first, taken],
      [{ ...first, batchId: '00000000-0000-5000-8000-000000000008', events: 3, upTo: 103 }, taken],
    ],
  ),
  refused: delivering(
    {
      behavior: 'a delivery that was not taken is recorded, whatever the receiver answered',
      inputs: { recordBatchAttempt: [{ attempts: 1, status: 410, error: 'The receiver answered 410' }] },
    },
    [[first, refused]],
  ),
  gone: delivering(
    {
      behavior: 'what was rewound or disabled meanwhile is not recorded',
      calls: ['nextBatch', 'deliverBatch', 'nextBatch'],
    },
    [[first, null]],
  ),
  test: {
    ...delivering(
      {
        behavior: 'a test event goes out on request, and the run ends after it',
        answer: { status: 204, durationMs: 7 },
        times: { deliverTestEvent: 1, deliverBatch: 0 },
      },
      [],
    ),
    startedBy: { update: 'testEndpoint', args: [] },
  },
  waiting: waiting(),
  running: { ...delivering({ behavior: 'it is delivered' }, [[first, taken]]), openAt: 'deliverBatch' },
};

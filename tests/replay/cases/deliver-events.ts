import type { EventConsumerActivities, EventQueueActivities } from '../../../activities/events/deliveries.js';
import type { NextDelivery } from '../../../domain/events.js';
import { failureTypes } from '../../../domain/failures.js';
import type { deliverEvents as workflow } from '../../../workflows/events/deliver-events.js';
import { ApplicationFailure } from '@temporalio/common';
import type { CasesOf } from '../cases.js';

const first: NextDelivery = {
  event: {
    id: '00000000-0000-4000-8000-000000000001',
    source: 'patients',
    detailType: 'patient.created',
    time: '2026-01-01T00:00:00.000Z',
    organizationId: null,
    detail: {},
  },
  attempts: 0,
  firstAttemptAt: null,
  dueAt: null,
  lastError: null,
};

/** These deliveries, one per attempt, with what the consumer does with each. */
function delivering(deliveries: NextDelivery[], consume: () => void = () => undefined) {
  let done = 0;
  const activities: EventQueueActivities & EventConsumerActivities = {
    nextEvent: async () => deliveries[done] ?? null,
    consumeEvent: async () => consume(),
    recordEventDelivery: async () => void (done += 1),
  };
  return {
    args: [{ source: 'patients', consumer: 'sink', aggregateId: 'one' }] as Parameters<typeof workflow>,
    activities,
    startedBy: { signal: 'nudge', args: [] },
  };
}
const failing = (type: string, nonRetryable: boolean) => () => {
  throw ApplicationFailure.create({ type, nonRetryable, message: 'no' });
};

export const deliverEvents: CasesOf<typeof workflow> = {
  delivered: delivering([first, first]),
  refused: delivering([first], failing(failureTypes.rejected, true)),
  failed: delivering([first], failing(failureTypes.unavailable, false)),
};

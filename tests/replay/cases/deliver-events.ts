import type { EventConsumerActivities, EventQueueActivities } from '../../../activities/events/deliveries.js';
import type { NextDelivery } from '../../../domain/events.js';
import type { deliverEvents as workflow } from '../../../workflows/events/deliver-events.js';
import { outage, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

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
function delivering(expect: Expected, deliveries: NextDelivery[], consume: () => void = () => undefined) {
  let done = 0;
  const activities: EventQueueActivities & EventConsumerActivities = {
    nextEvent: async () => deliveries[done] ?? null,
    consumeEvent: async () => consume(),
    recordEventDelivery: async () => void (done += 1),
  };
  return {
    args: [{ source: 'patients', consumer: 'sink', aggregateId: 'one' }] as Parameters<typeof workflow>,
    activities,
    startedBy: { signal: 'recheck', args: [] },
    expect,
  };
}
const judgedAs = (...states: string[]) => ({
  recordEventDelivery: states.map((state) => ({ verdict: { state } })),
});

export const deliverEvents: CasesOf<typeof workflow> = {
  delivered: delivering(
    { behavior: 'each is taken, one after the other', inputs: judgedAs('delivered', 'delivered') },
    [first, first],
  ),
  refused: delivering(
    {
      behavior: 'one that is refused is not tried again',
      times: { consumeEvent: 1 },
      inputs: judgedAs('dead'),
    },
    [first],
    refusal('no'),
  ),
  failed: delivering(
    { behavior: 'one that was not taken stays pending', inputs: judgedAs('pending') },
    [first],
    outage,
  ),
};

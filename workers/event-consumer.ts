import { ApplicationFailure } from '@temporalio/common';
import { createEventConsumerActivities } from '../activities/events/deliveries.js';
import { refuse } from '../activities/failures.js';
import type { EventEnvelope, EventSubscriber } from '../domain/events.js';
import { failureTypes } from '../domain/failures.js';
import { type EventSinkSettings, sendCloudEvent } from '../integrations/event-sink/client.js';
import { OutboundError } from '../platform/http/outbound.js';
import { consumerOf } from './consumers.js';
import type { WorkerContext } from './context.js';

/** The consumer that a service's queue runs. */
export const subscriberActivities = (context: WorkerContext, subscriber: EventSubscriber) =>
  createEventConsumerActivities({ [subscriber]: consumerOf(subscriber, context) });

/** As above for a service that publishes: its queue tells the outside too, where there is one to be told. */
export const publisherActivities = (
  context: WorkerContext,
  settings: { EVENT_SINK_URL?: string | undefined; EVENT_SINK_SECRET?: string | undefined },
  subscriber?: EventSubscriber,
) =>
  createEventConsumerActivities({
    ...(subscriber === undefined ? {} : { [subscriber]: consumerOf(subscriber, context) }),
    sink: (event) => {
      const sink = sinkOf(settings);
      return sink === undefined ? Promise.resolve() : tellOutside(sink, event);
    },
  });

/**
 * The outside owes us no table of statuses: all it answers may pass, a redirect or a 404 of a deployment too, so it is
 * tried again for the 72 h of a delivery. Only 410 is a «never», as with callbacks.
 */
async function tellOutside(sink: EventSinkSettings, event: EventEnvelope): Promise<void> {
  try {
    await sendCloudEvent(sink, event);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const { fault, message } = error;
    if (fault.kind === 'status' && fault.status === 410) throw refuse(failureTypes.rejected, message);
    throw ApplicationFailure.create({ type: failureTypes.unavailable, message });
  }
}

const sinkOf = ({
  EVENT_SINK_URL: url,
  EVENT_SINK_SECRET: secret,
}: Parameters<typeof publisherActivities>[1]): EventSinkSettings | undefined =>
  url === undefined || secret === undefined ? undefined : { url, secret };

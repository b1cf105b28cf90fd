import { createEventConsumerActivities } from '../activities/events.js';
import { calling } from '../activities/failures.js';
import type { EventSubscriber } from '../domain/events.js';
import { type EventSinkSettings, sendCloudEvent } from '../integrations/event-sink/client.js';
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
      return sink === undefined ? Promise.resolve() : calling(() => sendCloudEvent(sink, event));
    },
  });

const sinkOf = ({
  EVENT_SINK_URL: url,
  EVENT_SINK_SECRET: secret,
}: Parameters<typeof publisherActivities>[1]): EventSinkSettings | undefined =>
  url === undefined || secret === undefined ? undefined : { url, secret };

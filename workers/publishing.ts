import { ApplicationFailure } from '@temporalio/common';
import type { EventHandler } from '../activities/events/deliveries.js';
import { permanentFailure } from '../activities/calls.js';
import { listStalledQueues } from '../db/event-deliveries.js';
import { consumerRefused, isOneOf } from '../domain/events.js';
import { failureTypes } from '../domain/failures.js';
import { isRejection } from '../domain/http-status.js';
import { sendCloudEvent } from '../integrations/event-sink/client.js';
import type { ServiceName } from '../platform/service-names.js';
import { OutboundError } from '../platform/http/outbound.js';
import { recheckEvents } from '../starts/events.js';
import type { TaskQueue } from '../workflows/queues.js';
import { overdue, type Sweep, type WorkerContext } from './context.js';

/** Deliveries whose workflow was terminated or missed its signal. */
export const stalledEvents = ({ sql, temporal }: WorkerContext, service: ServiceName & TaskQueue): Sweep =>
  async function resumeStalledEvents() {
    for (const queue of await listStalledQueues(sql, service, overdue))
      await recheckEvents(temporal, service, queue);
  };

/**
 * Sends the subscribed event types to the event sink, if one is configured. Any error status may be temporary, even a
 * redirect or a 404 during a deployment. The delivery is therefore retried for 72 h. Only 410 ends it, as for
 * callbacks.
 */
export const eventSink =
  ({
    EVENT_SINK_URL: url,
    EVENT_SINK_SECRET: secret,
    EVENT_SINK_TYPES: types,
  }: {
    EVENT_SINK_URL?: string | undefined;
    EVENT_SINK_SECRET?: string | undefined;
    EVENT_SINK_TYPES: readonly string[];
  }): EventHandler =>
  async (event) => {
    if (url === undefined || secret === undefined || !isOneOf(types, event.detailType)) return;
    try {
      await sendCloudEvent({ url, secret }, event);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const { fault, message } = error;
      if (fault.kind === 'status' && fault.status === 410)
        throw permanentFailure(failureTypes.rejected, message);
      const isRejected = fault.kind === 'status' && isRejection(fault.status);
      throw ApplicationFailure.create({
        type: failureTypes.unavailable,
        message,
        details: isRejected ? [consumerRefused] : [],
      });
    }
  };

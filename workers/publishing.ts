import { ApplicationFailure } from '@temporalio/common';
import type { EventHandler } from '../activities/events/deliveries.js';
import { permanentFailure } from '../activities/failures.js';
import { listStalledQueues } from '../db/event-deliveries.js';
import { consumerRefused, isOneOf } from '../domain/events.js';
import { failureTypes } from '../domain/failures.js';
import { isRejection } from '../domain/http-status.js';
import { sendCloudEvent } from '../integrations/event-sink/client.js';
import type { ServiceName } from '../platform/service-names.js';
import { OutboundError } from '../platform/http/outbound.js';
import { recheckEvents } from '../starts/events.js';
import type { TaskQueue } from '../workflows/queues.js';
import type { Sweep } from './beside.js';
import type { WorkerContext } from './context.js';

/** Nothing that is well is that late: an attempt takes at most 15 s. */
const overdueSeconds = 30;
const maxNudges = 500;

/** Deliveries of a service's events whose run was ended from outside, or that a lost nudge left behind. */
export const stalledEvents = ({ sql, temporal }: WorkerContext, service: ServiceName & TaskQueue): Sweep =>
  async function nudgeStalledEvents() {
    for (const queue of await listStalledQueues(sql, service, { overdueSeconds, limit: maxNudges }))
      await recheckEvents(temporal, service, queue);
  };

/**
 * Tells the outside of the types it is told of, where there is one to be told. It owes us no table of statuses: all it answers may pass, a
 * redirect or a 404 of a deployment too, so it is tried again for the 72 h of a delivery. Only 410 is a «never», as
 * with callbacks.
 */
export const outsideSink =
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
      const refused = fault.kind === 'status' && isRejection(fault.status);
      throw ApplicationFailure.create({
        type: failureTypes.unavailable,
        message,
        details: refused ? [consumerRefused] : [],
      });
    }
  };

import type { EventEnvelope } from '../../domain/events.js';
import { deliveryHeaders } from '../../platform/crypto/signature.js';
import { exchange, expectOk } from '../../platform/http/outbound.js';

const party = 'Event sink';
const timeoutMs = 10_000;

export interface EventSinkSettings {
  url: string;
  secret: string;
}

/**
 * Tells the outside of an event: CloudEvents 1.0, structured JSON (D73), signed as a callback is. The receiver knows
 * a repeat by the event's id.
 * @throws OutboundError unless it is taken with 2xx
 */
export async function sendCloudEvent(
  { url, secret }: EventSinkSettings,
  event: EventEnvelope,
): Promise<void> {
  const { id, source, detailType, time, organizationId, detail } = event;
  const body = JSON.stringify({
    specversion: '1.0',
    id,
    source: `/scriptrail/${source}`,
    type: detailType,
    time,
    datacontenttype: 'application/json',
    data: { organizationId, ...(detail as Record<string, unknown>) },
  });
  expectOk(
    party,
    await exchange({
      party,
      method: 'POST',
      resource: 'Event',
      url,
      headers: {
        'content-type': 'application/cloudevents+json',
        ...deliveryHeaders(secret, id, body),
      },
      body,
      timeoutMs,
    }),
  );
}

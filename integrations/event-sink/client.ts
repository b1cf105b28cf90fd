import type { EventEnvelope } from '../../domain/events.js';
import { deliveryHeaders } from '../../platform/crypto/signature.js';
import { exchange, expectOk } from '../../platform/http/outbound.js';

const party = 'Event sink';

export interface EventSinkSettings {
  url: string;
  secret: string;
}

/**
 * Sends an event as CloudEvents 1.0, structured JSON (D73), signed like a callback. The event id identifies repeats.
 * @throws OutboundError unless the status is 2xx
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
  const headers = { 'content-type': 'application/cloudevents+json', ...deliveryHeaders(secret, id, body) };
  expectOk(
    party,
    await exchange({ party, method: 'POST', resource: 'Event', url, headers, body, timeoutMs: 10_000 }),
  );
}

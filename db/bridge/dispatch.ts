import type { JSONValue } from 'postgres';
import { type EmrEnvelope, emrDetailType } from '../../domain/bridge/emr-events.js';
import type { Sql } from '../client.js';
import { publishEvent } from '../outbox.js';
import { lockAggregate, markDispatched } from './webhook-events.js';

/**
 * Publishes a webhook's event and links the webhook to it in one transaction. The lock orders the events of a
 * resource.
 */
export const dispatchWebhook = (sql: Sql, envelope: EmrEnvelope, aggregateId: string): Promise<void> =>
  sql.begin(async (sql) => {
    await lockAggregate(sql, aggregateId);
    const outboxId = await publishEvent(sql, 'bridge', {
      detailType: emrDetailType(envelope.emrEventName),
      aggregateId,
      detail: envelope as unknown as JSONValue,
    });
    await markDispatched(sql, envelope, outboxId);
  });

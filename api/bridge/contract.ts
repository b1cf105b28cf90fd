import { z } from 'zod';
import { syncStatuses } from '../../db/bridge/sync-attempts.js';
import { resourceOf } from '../../domain/bridge/emr-events.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { instant, timestamp } from '../instant.js';
import { text } from '../../platform/http/text.js';

/** In UTC with milliseconds (D9). */
const instantText = instant.transform((at) => at.toISOString());

/** A webhook of the EMR (D81). Its resource needs an id, and must be of the type that the event names. */
export const emrWebhook = z
  .object({
    event: text(165).regex(/^[A-Za-z][A-Za-z0-9]{0,63}\.[\w.-]{1,100}$/, 'must be <Resource>.<action>'),
    timestamp: instantText,
    resource: z.looseObject({ resourceType: text(64).optional(), id: text(200).min(1) }),
  })
  .refine(
    ({ event, resource }) => (resource.resourceType ?? resourceOf(event)) === resourceOf(event),
    'must be the resource that the event names',
  );

export const webhookReceived = z.object({ ok: z.literal(true), webhookEventId: z.uuid() });

const id = z.uuid();

const webhookEntry = z
  .object({
    id,
    received_at: timestamp,
    signature_valid: z.boolean(),
    signature_header: z.string().nullable(),
    resource_type: z.string().nullable(),
    resource_id: z.string().nullable(),
    emr_event_name: z.string().nullable(),
    emr_event_timestamp: timestamp.nullable(),
    dispatched_outbox_id: z.uuid().nullable().describe('The event that the webhook caused; null if none'),
    truncated: z.literal(true).optional().describe('Present if only the first 4 KiB of the body are stored'),
    erasedAt: timestamp.optional().describe('Present after an erasure, which overwrites the body'),
  })
  .meta({ id: 'WebhookEntry' });
const webhookRow = webhookEntry
  .extend({
    raw_body: z.string().describe('As received; Base64 if it is not valid UTF-8'),
    raw_body_encoding: z.literal('base64').optional().describe('Present if the body is not valid UTF-8'),
  })
  .meta({ id: 'WebhookEvent' });
export const webhookEvent = z.object({ webhookEvent: webhookRow });

export const webhookQuery = pageQuery.extend({
  valid: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
  resourceType: text(100).min(1).optional(),
  from: instant.optional(),
  to: instant.optional(),
});
export const webhookEvents = z.object({ webhookEvents: z.array(webhookEntry), nextCursor });

const syncAttempt = z
  .object({
    id,
    idempotency_key: z.string(),
    internal_event_name: z.string(),
    target_resource_type: z.string(),
    target_resource_id: z.string(),
    organization_id: z.uuid().nullable().describe('Organization of the patient; null if unknown'),
    status: z.enum(syncStatuses),
    attempts: z.number().int(),
    emr_response_status: z.number().int().nullable().describe('The last HTTP status of the EMR'),
    last_error: z.string().nullable().describe('Error class and short message'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'SyncAttempt' });
export const oneSyncAttempt = z.object({ syncAttempt });
export const syncQuery = pageQuery.extend({
  status: z.enum(syncStatuses).optional(),
  event: text(100).min(1).optional().describe('An internal event, such as `patient.archived`'),
});
export const syncAttempts = z.object({ syncAttempts: z.array(syncAttempt), nextCursor });

export const processed = z.object({ processed: z.number().int() });

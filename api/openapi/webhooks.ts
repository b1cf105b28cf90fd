import { pharmacies } from '../../domain/pharmacies.js';
import { submissionStatuses } from '../../domain/router/submission.js';
import type { OpenApiDocument, Operation, Parameter, Schema } from './document.js';
import { schemaPrefix } from './schemas.js';

/** Requests that a service sends to clients: OpenAPI's webhooks with their schemas. */
export interface Webhooks {
  operations: Record<string, Record<string, Operation>>;
  schemas: OpenApiDocument['components']['schemas'];
}

const text = { type: 'string' };
const nullableText = { type: ['string', 'null'] };
const uuid = { type: 'string', format: 'uuid' };
const object = (properties: Record<string, Schema>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

const header = (name: string, description: string, schema: Schema = text) => ({
  in: 'header' as const,
  name,
  required: true,
  description,
  schema,
});
const signatureHeaders = [
  header('X-Callback-Id', 'The same for every attempt; use it to detect repeats'),
  header('X-Timestamp', 'Time of this attempt, ISO 8601', { type: 'string', format: 'date-time' }),
  header('X-Signature', 'Lower-case hex HMAC-SHA256 with the secret over `<X-Timestamp>.<body>`'),
  header('webhook-id', 'As `X-Callback-Id` (Standard Webhooks)'),
  header('webhook-timestamp', 'As `X-Timestamp`, in seconds since 1970'),
  header('webhook-signature', '`v1,` and Base64 of the HMAC-SHA256 over `<id>.<timestamp>.<body>`'),
];

const webhook = (
  operationId: string,
  texts: { tags: string[]; summary: string; description: string },
  mediaType: string,
  schema: Schema,
  ownHeaders: Parameter[] = [],
  responses: Operation['responses'] = {
    200: { description: 'Received; any 2xx counts' },
    410: { description: 'Permanently stops these requests' },
    default: { description: 'Not received; Scriptrail retries for 72 hours' },
  },
): Webhooks['operations'] => ({
  [operationId]: {
    post: {
      operationId,
      ...texts,
      parameters: [...signatureHeaders, ...ownHeaders],
      requestBody: { required: true, content: { [mediaType]: { schema } } },
      responses,
      security: [],
    },
  },
});
const reference = (name: string): Schema => ({ $ref: schemaPrefix + name });
const orderFields = {
  submissionId: uuid,
  sourceOrderId: text,
  pharmacy: { type: 'string', enum: [...pharmacies] },
};

/** Page 1, Callback payloads. */
export const callbackWebhooks: Webhooks = {
  operations: webhook(
    'prescriptionCallback',
    {
      tags: ['Callbacks'],
      summary: 'Status of a submission, sent to its `callbackUrl`',
      description:
        'The first callback says whether the pharmacy accepted the order. Each later change follows in order, once the previous callback is received.',
    },
    'application/json',
    { anyOf: [reference('UpdateCallback'), reference('InitialCallback')] },
    [
      header('X-Callback-Kind', 'What the callback is about; only an `initial` one has `error`', {
        type: 'string',
        enum: ['initial', 'update', 'hold'],
      }),
    ],
  ),
  schemas: {
    InitialCallback: object({
      ...orderFields,
      status: { type: 'string', enum: ['submitted', 'failed'] },
      pharmacyOrderId: nullableText,
      error: nullableText,
    }),
    UpdateCallback: object({
      ...orderFields,
      status: { type: 'string', enum: [...submissionStatuses] },
      pharmacyOrderId: text,
      trackingNumber: nullableText,
      carrier: nullableText,
    }),
  },
};

/** The events of a client at its endpoint (D130). */
export const endpointWebhooks: Webhooks = {
  operations: webhook(
    'eventDelivery',
    {
      tags: ['Events'],
      summary: "Events of a client, sent to the client's endpoint",
      description:
        'In the order of their sequence, one request at a time. A test delivery has one event of type `test` with sequence 0.',
    },
    'application/json',
    reference('EventDelivery'),
    [],
    {
      200: { description: 'All of them are received; any 2xx counts' },
      default: { description: 'Not received; Scriptrail sends the same bytes again, 1 s to 10 min later' },
    },
  ),
  schemas: {
    EventDelivery: object({
      events: { type: 'array', minItems: 1, maxItems: 100, items: reference('ClientEvent') },
    }),
  },
};

/** Published events (D73). */
export const eventWebhooks: Webhooks = {
  operations: webhook(
    'event',
    {
      tags: ['Events'],
      summary: 'An event, sent to the event sink',
      description: 'CloudEvents 1.0 in structured JSON, at least once, in order for each record.',
    },
    'application/cloudevents+json',
    reference('CloudEvent'),
  ),
  schemas: {
    CloudEvent: object({
      specversion: { type: 'string', enum: ['1.0'] },
      id: uuid,
      source: { type: 'string', description: '`/scriptrail/` and the service' },
      type: { type: 'string', description: '`<noun>.<past participle>`, as `patient.created`' },
      time: { type: 'string', format: 'date-time' },
      datacontenttype: { type: 'string', enum: ['application/json'] },
      data: {
        type: 'object',
        properties: { organizationId: { type: ['string', 'null'] } },
        required: ['organizationId'],
        additionalProperties: true,
      },
    }),
  },
};

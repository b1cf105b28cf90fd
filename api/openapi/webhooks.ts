import { pharmacies } from '../../domain/pharmacies.js';
import { submissionStatuses } from '../../domain/router/submission.js';
import type { OpenApiDocument, Operation, Schema } from './document.js';

/** What a service sends to addresses of others: OpenAPI's webhooks, and the schemas they need. */
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

const header = (name: string, description: string, schema: Schema) => ({
  in: 'header' as const,
  name,
  required: true,
  description,
  schema,
});
/** Ours and those of Standard Webhooks, with every attempt. */
const signatureHeaders = [
  header('X-Callback-Id', 'The same with every attempt: by it a repeat is known', text),
  header('X-Timestamp', 'When this attempt was signed, ISO 8601', { type: 'string', format: 'date-time' }),
  header('X-Signature', 'Lower-case hex HMAC-SHA256 with the secret over `<X-Timestamp>.<body>`', text),
  header('webhook-id', 'As `X-Callback-Id` (Standard Webhooks)', text),
  header('webhook-timestamp', 'As `X-Timestamp`, in seconds since 1970', text),
  header('webhook-signature', '`v1,` and Base64 of the HMAC-SHA256 over `<id>.<timestamp>.<body>`', text),
];
const receiving = {
  200: { description: 'Received; any 2xx will do' },
  410: { description: 'No more of these, ever' },
  default: { description: 'Not received: sent again, for 72 hours' },
};

/** Page 1, Callback payloads. */
export const callbackWebhooks: Webhooks = {
  operations: {
    prescriptionCallback: {
      post: {
        operationId: 'prescriptionCallback',
        tags: ['Callbacks'],
        summary: 'What became of a submission, told to its `callbackUrl`',
        description:
          'First whether the pharmacy took the order, then each change of it, in order: the next one waits until this one is received.',
        parameters: signatureHeaders,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                anyOf: [
                  { $ref: '#/components/schemas/UpdateCallback' },
                  { $ref: '#/components/schemas/InitialCallback' },
                ],
              },
            },
          },
        },
        responses: receiving,
        security: [],
      },
    },
  },
  schemas: {
    InitialCallback: object({
      submissionId: uuid,
      sourceOrderId: text,
      pharmacy: { type: 'string', enum: [...pharmacies] },
      status: { type: 'string', enum: ['submitted', 'failed'] },
      pharmacyOrderId: nullableText,
      error: nullableText,
    }),
    UpdateCallback: object({
      submissionId: uuid,
      sourceOrderId: text,
      pharmacy: { type: 'string', enum: [...pharmacies] },
      status: { type: 'string', enum: [...submissionStatuses] },
      pharmacyOrderId: text,
      trackingNumber: nullableText,
      carrier: nullableText,
    }),
  },
};

/** Events told to the outside (D73). */
export const eventWebhooks: Webhooks = {
  operations: {
    event: {
      post: {
        operationId: 'event',
        tags: ['Events'],
        summary: 'Something that happened, told to the event sink',
        description: 'CloudEvents 1.0, structured JSON; in order for each record, and at least once.',
        parameters: signatureHeaders,
        requestBody: {
          required: true,
          content: {
            'application/cloudevents+json': { schema: { $ref: '#/components/schemas/CloudEvent' } },
          },
        },
        responses: receiving,
        security: [],
      },
    },
  },
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

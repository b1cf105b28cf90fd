import type { Schema } from './document.js';

/** Descriptions of the tags; tests/platform/openapi requires one for each. */
export const tags: Readonly<Record<string, string>> = {
  'Admin users': 'Invite, suspend and reinstate admins.',
  Approval: 'Approve and deny prescriptions, and read the runs of a task.',
  Audit: 'The log of changes and of access to personal data.',
  Callbacks: 'Callbacks to the client of a submission, and their redelivery.',
  Cancellation: 'Cancel approvals and submissions.',
  Catalog: 'The articles of pharmacies, and the medications that they fill.',
  Channels: 'The channels of each notification type.',
  Clock: 'What counts as today, in development.',
  Closes: 'Each day, matched with the books of the processor and the shipping service.',
  Codec: 'Decode payloads for operators in Temporal’s Web UI.',
  'Custom domains': 'Hostnames of organizations, and the verification of their ownership.',
  'E-mail verification': 'Send a code by e-mail and verify it.',
  Egress: 'Changes written back to the EMR.',
  Erasures: 'Erase patients, and read the progress.',
  Events: 'Events published as CloudEvents, and events of a client’s tasks.',
  Exceptions: 'Cancel approvals, and reroute or replace orders.',
  Holds: 'Answer the holds of pharmacies.',
  Ingress: 'Events received from the EMR.',
  Intake: 'Submit an intake.',
  'Intake snapshots': 'Submitted intakes, byte for byte.',
  Log: 'Sent messages and their delivery status.',
  Medications: 'What an approval may name.',
  Memberships: 'Members of organizations and their roles.',
  Notifications: 'Send e-mails and text messages.',
  Operation: 'Liveness, readiness, and actions for operators.',
  Operators: 'Inspect and repair runs and charges.',
  Orders: 'Orders as the desk shows them, and what can be done to them.',
  Organizations: 'Create, change and archive organizations.',
  Orphans: 'Patients in the EMR without a record in the directory.',
  Patients: 'The directory of patients with their ids in each system.',
  Payment: 'Save cards and check coupons.',
  'Payment links': 'Read and pay the amount due through a link.',
  'Pharmacy webhooks': 'Order updates from the pharmacies.',
  Plans: 'Subscription plans and their prices.',
  Prescriptions: 'Submit prescriptions to pharmacies, read and cancel them.',
  Refills: 'Refill schedules and the daily check.',
  Registry: 'Physicians, their licenses, and prescriber routing.',
  Resolver: 'Find the organization of a hostname, for portals.',
  Routing: 'The pharmacy for each state.',
  Settings: 'Branding and portal settings of an organization.',
  Shipment: 'Order updates from the router.',
  'Signing in': 'Sign-in codes, tokens and sessions of admins.',
  Statements: 'What pharmacies bill, matched with what they shipped, and their prices.',
  Templates: 'Texts of notifications.',
  Timeline: 'Events of a prescription by time.',
  'Work items': 'Decisions that need a person, and their answers.',
};

/** Path parameters by name. Any other path parameter is one of our ids, a UUID. */
export const pathParameters: Readonly<Record<string, Schema>> = {
  taskId: { type: 'string', minLength: 1, maxLength: 200, description: 'Task id of the approval system' },
  state: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Two-letter state code, in either case' },
  type: { type: 'string', pattern: '^[a-z_]{1,64}$', description: 'Notification type' },
  domain: { type: 'string', format: 'hostname', maxLength: 253, description: 'Hostname, as registered' },
  holdId: { type: 'string', minLength: 1, maxLength: 200, description: 'The pharmacy’s hold id' },
  pharmacy: { type: 'string', pattern: '^pharmacy_[abc]$', description: 'A pharmacy' },
  key: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]{0,63}$', description: 'Key of a medication' },
  mrn: { type: 'string', pattern: '^[0-9A-Za-z-]{1,32}$', description: '10 characters of Crockford base 32' },
  emrPatientId: {
    type: 'string',
    pattern: '^[A-Za-z0-9.-]{1,64}$',
    description: 'Id of the Patient in the EMR',
  },
};
export const idParameter: Schema = {
  type: 'string',
  format: 'uuid',
  description: 'Id assigned by Scriptrail',
};

export const statuses: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted; processing continues',
  400: 'The request is malformed or a field is invalid; `details` names the fields. Correct it',
  401: 'Not authenticated: the signature, token or secret is missing, expired or wrong',
  403: 'The key lacks the scope, the admin lacks the role, or the record belongs to another caller',
  404: 'The record does not exist or belongs to another caller',
  409: 'Conflicts with what is already recorded; read `error`, a repeat changes nothing',
  410: 'The record has expired',
  413: 'The body is too large; send a smaller one',
  415: 'The content type is not supported; send `application/json`',
  422: 'The request is valid but cannot be carried out; read `error`',
  429: 'Too many requests; nothing was done. Repeat after `Retry-After` seconds',
  500: 'Internal error. Report `requestId`; repeat if `Error-Retryable` is `true`',
  502: 'An external service rejected the request or did not respond; `Error-Retryable` tells which',
  503: 'Unavailable, or the outcome is not known yet. Send the same request again after `Retry-After` seconds',
};

const header = (description: string, schema: Schema) => ({ description, schema });
const count = { type: 'integer', minimum: 0 };
export const headers = {
  RequestId: header('Id of the request, as sent by the client or generated', {
    type: 'string',
    maxLength: 200,
  }),
  ErrorRetryable: header('`true` if a later repeat of the same request can succeed', {
    type: 'string',
    enum: ['true', 'false'],
  }),
  RetryAfter: header('Seconds until the next retry', count),
  RateLimitLimit: header('Requests per minute that the caller may send', count),
  RateLimitRemaining: header('Requests left in the current minute', count),
  RateLimitReset: header('Seconds until the limit resets', count),
  EventsTruncated: header('`true` if events after `after` were deleted by their age', {
    type: 'string',
    enum: ['true'],
  }),
  IdempotentReplayed: header('`true` if this is the recorded answer of an earlier request', {
    type: 'string',
    enum: ['true'],
  }),
};

const inHeader = (name: string, description: string) =>
  ({ type: 'apiKey', in: 'header', name, description }) as const;
export const securitySchemes = {
  apiKey: inHeader('X-API-Key', 'Id of the API key'),
  timestamp: inHeader('X-Timestamp', 'ISO 8601 with a zone, at most five minutes off'),
  signature: inHeader(
    'X-Signature',
    'Lower-case hex HMAC-SHA256 with the API secret over `<X-Timestamp>.<body>`; the body of a request without one counts as `{}`. With `X-Signature-Version: 2`, the HMAC covers six lines: `v2`, method, path with query, time, nonce, hex SHA-256 of the body.',
  ),
  signatureVersion: inHeader(
    'X-Signature-Version',
    '`2` if the signature also covers method, path and nonce',
  ),
  nonce: inHeader('X-Nonce', '16 to 64 characters of `[A-Za-z0-9_-]`, unique for each request'),
  webhookSecret: inHeader('x-webhook-secret', 'The secret shared with the pharmacy'),
  emrSignature: inHeader('X-EMR-Signature', 'Lower-case hex HMAC-SHA256 with the EMR’s secret over the body'),
  adminToken: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'Token of an admin, from `POST /v1/auth/otp/check` or `POST /v1/auth/exchange`',
  },
};

/** The sets of headers that a scheme accepts. */
export const requirements: Readonly<Record<string, Record<string, string[]>[]>> = {
  signature: [
    { apiKey: [], timestamp: [], signature: [] },
    { apiKey: [], timestamp: [], signature: [], signatureVersion: [], nonce: [] },
  ],
  callbackSignature: [{ timestamp: [], signature: [] }],
};

export const declarable = {
  ...securitySchemes,
  callbackSignature: securitySchemes.signature,
};

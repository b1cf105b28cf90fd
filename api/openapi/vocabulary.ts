import type { Schema } from './document.js';

/** What the groups of operations are about; a group that is missing here is refused by tests/platform/openapi. */
export const tags: Readonly<Record<string, string>> = {
  'Admin users': 'The people who administer: inviting, suspending, letting in again.',
  Approval: 'Approving and denying prescriptions, and what became of a task.',
  Audit: 'Who changed what, and who saw whose data.',
  Callbacks: 'What the client of a submission was told, and telling it again.',
  Cancellation: 'Taking back what was approved or submitted.',
  Channels: 'Over which channels a type of notification goes.',
  Codec: 'Decoding payloads for operators, as Temporal’s Web UI asks for it.',
  'Custom domains': 'Hostnames of organizations, and the proof of whose they are.',
  'E-mail verification': 'A code by mail, and the proof that it was read.',
  Egress: 'What is written back to the EMR.',
  Erasures: 'Erasing a patient, and what became of it.',
  Events: 'What happened, told to the outside as CloudEvents.',
  Exceptions: 'Charges that were not paid, orders that are moved, what is tried again together.',
  Holds: 'What a pharmacy asks before it goes on, and the answer.',
  Ingress: 'What the EMR tells us.',
  Intake: 'Handing in an intake.',
  'Intake snapshots': 'What a patient handed in, byte for byte.',
  Log: 'What was sent to whom, and how it fared.',
  Memberships: 'Who belongs to which organization, in which role.',
  Notifications: 'Sending mails and text messages.',
  Operation: 'Liveness, readiness, and what operators set going.',
  Operators: 'What operators look at and set right.',
  Organizations: 'Clinics and other organizations, from their creation to their archiving.',
  Orphans: 'Patients in the EMR that belong to no record of the directory.',
  Patients: 'The directory of patients: who they are in which system.',
  Payment: 'Saving a card, and coupons.',
  'Payment links': 'What a patient owes, read and paid over a link.',
  'Pharmacy webhooks': 'What the pharmacies report of their orders.',
  Plans: 'What can be subscribed to, and for how much.',
  Prescriptions: 'Submitting prescriptions to pharmacies, and what became of them.',
  Refills: 'Schedules by which prescriptions are filled again.',
  Registry: 'Physicians, their licenses, and who prescribes where.',
  Resolver: 'Whose hostname it is, for portals.',
  Routing: 'Which pharmacy serves which state.',
  Settings: 'How an organization looks and what its portals offer.',
  Shipment: 'What the router reports of orders.',
  'Signing in': 'Codes, tokens and sessions of admins.',
  Templates: 'What notifications say.',
  Timeline: 'What happened to a prescription, by time.',
  'Work items': 'What waits for a person, and that person’s answer.',
};

/** Path parameters by their names, where a name has a meaning of its own. Any other is an id of ours, a UUID. */
export const pathParameters: Readonly<Record<string, Schema>> = {
  taskId: { type: 'string', minLength: 1, maxLength: 200, description: 'The approval system’s task' },
  state: { type: 'string', pattern: '^[A-Za-z]{2}$', description: 'Two-letter state code, in either case' },
  type: { type: 'string', pattern: '^[a-z_]{1,64}$', description: 'Type of notification' },
  domain: { type: 'string', format: 'hostname', maxLength: 253, description: 'Hostname, as registered' },
  holdId: { type: 'string', minLength: 1, maxLength: 200, description: 'The pharmacy’s id of its hold' },
  pharmacy: { type: 'string', pattern: '^pharmacy_[abc]$', description: 'A pharmacy' },
  mrn: { type: 'string', pattern: '^[0-9A-Za-z-]{1,32}$', description: '10 characters of Crockford base 32' },
  emrPatientId: {
    type: 'string',
    pattern: '^[A-Za-z0-9.-]{1,64}$',
    description: 'Id of the Patient in the EMR',
  },
};
export const idParameter: Schema = { type: 'string', format: 'uuid', description: 'An id of ours' };

/** What a status means, where the route has no words of its own. */
export const statuses: Readonly<Record<string, string>> = {
  200: 'Done, or as it stands',
  201: 'Created',
  202: 'Taken; the end comes later',
  400: 'The request is malformed, or a field is wrong',
  401: 'Nobody knows who asks',
  403: 'Whoever asks may not do this',
  404: 'There is no such thing, or it is not the caller’s',
  409: 'It does not agree with what is there',
  410: 'It is over',
  413: 'The body is too large',
  415: 'The body is of a type that is not taken',
  422: 'It cannot be done for this request',
  429: 'Too many requests; `Retry-After` says when to ask again',
  500: 'A fault of ours; the same request may be sent again',
  502: 'A party behind us has refused, or did not answer',
  503: 'Not known yet, or not to be done now; the same request finds out after `Retry-After`',
};

const header = (description: string, schema: Schema) => ({ description, schema });
const count = { type: 'integer', minimum: 0 };
export const headers = {
  RequestId: header('Id of the request: the one that was sent, or a new one', {
    type: 'string',
    maxLength: 200,
  }),
  RetryAfter: header('Seconds after which to ask again', count),
  RateLimitLimit: header('Requests that the caller may make in a minute', count),
  RateLimitRemaining: header('Requests left in this minute', count),
  RateLimitReset: header('Seconds until they count anew', count),
  IdempotentReplayed: header('`true` where this is the recorded answer of an earlier request', {
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
    'Lower-case hex HMAC-SHA256 with the API secret over `<X-Timestamp>.<body>`; the body of a request without one counts as `{}`. With `X-Signature-Version: 2` over six lines: `v2`, method, path with query, time, nonce, hex SHA-256 of the body.',
  ),
  signatureVersion: inHeader('X-Signature-Version', '`2` where method, path and nonce are signed too'),
  nonce: inHeader('X-Nonce', '16 to 64 of `[A-Za-z0-9_-]`, made anew for each request'),
  webhookSecret: inHeader('x-webhook-secret', 'The secret that the pharmacy was given'),
  emrSignature: inHeader('X-EMR-Signature', 'Lower-case hex HMAC-SHA256 with the EMR’s secret over the body'),
  adminToken: {
    type: 'http' as const,
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The token of an admin, from `POST /v1/auth/otp/check` or `POST /v1/auth/exchange`',
  },
};

/** What a route that names one of these asks for: each of the alternatives is a set of headers that go together. */
export const requirements: Readonly<Record<string, Record<string, string[]>[]>> = {
  signature: [
    { apiKey: [], timestamp: [], signature: [] },
    { apiKey: [], timestamp: [], signature: [], signatureVersion: [], nonce: [] },
  ],
  callbackSignature: [{ timestamp: [], signature: [] }],
};

/** What a route may name as its `security`. */
export const declarable = {
  ...securitySchemes,
  callbackSignature: securitySchemes.signature,
};

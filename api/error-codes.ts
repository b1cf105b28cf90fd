/** The fields of an error code. `docs/errors.md` is this table in words; a test compares them. */
interface Meaning {
  /** The statuses that it comes with. */
  statuses: readonly number[];
  /** A later repeat of the same request can succeed. 408, 425, 429 and 503 always can. */
  isRetryable?: true;
}

/** The closed list of codes (D139). */
export const errorCodes = {
  answer_rejected: { statuses: [502] },
  cancelled: { statuses: [500] },
  conflict: { statuses: [409] },
  email_not_verified: { statuses: [400] },
  emr_unavailable: { statuses: [500, 502], isRetryable: true },
  forbidden: { statuses: [403] },
  headers_too_large: { statuses: [431] },
  identity_provider_unavailable: { statuses: [502], isRetryable: true },
  immutable_identifier: { statuses: [409] },
  in_use: { statuses: [409] },
  internal: { statuses: [500] },
  medication_not_at_pharmacy: { statuses: [422, 500] },
  method_not_allowed: { statuses: [405] },
  mrn_exhausted: { statuses: [503] },
  no_pharmacy_route: { statuses: [422, 500] },
  not_delivered: { statuses: [502], isRetryable: true },
  not_found: { statuses: [404] },
  order_rejected: { statuses: [500, 502] },
  order_unknown: { statuses: [500, 502], isRetryable: true },
  organization_unavailable: { statuses: [502], isRetryable: true },
  patient_deceased: { statuses: [409, 500] },
  patient_inactive: { statuses: [409, 500] },
  patient_incomplete: { statuses: [409, 500] },
  patient_merged: { statuses: [409, 500] },
  patient_not_found: { statuses: [409, 500] },
  payload_too_large: { statuses: [413] },
  payment_link_expired: { statuses: [400] },
  payment_link_invalid: { statuses: [400] },
  plan_token_expired: { statuses: [400] },
  plan_token_invalid: { statuses: [400] },
  refused: { statuses: [422] },
  request_timeout: { statuses: [408] },
  suspended: { statuses: [503] },
  terminated: { statuses: [500] },
  too_many_requests: { statuses: [429] },
  too_soon: { statuses: [409] },
  unauthorized: { statuses: [401] },
  unavailable: { statuses: [500, 502, 503], isRetryable: true },
  unknown_medication: { statuses: [500] },
  unsupported_content_type: { statuses: [415] },
  validation_failed: { statuses: [400] },
} as const satisfies Readonly<Record<string, Meaning>>;

export type ErrorCode = keyof typeof errorCodes;

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'validation_failed',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_content_type',
  429: 'too_many_requests',
  431: 'headers_too_large',
  500: 'internal',
  502: 'unavailable',
  503: 'unavailable',
};

/** The code of an error that its route gives no code of its own. */
export const codeOfStatus = (status: number): ErrorCode => byStatus[status] ?? 'refused';

const retryableStatuses = [408, 425, 429, 503];

const isRetryable = (status: number, code: ErrorCode): boolean =>
  retryableStatuses.includes(status) || 'isRetryable' in errorCodes[code];

export const isErrorCode = (text: unknown): text is ErrorCode =>
  typeof text === 'string' && Object.hasOwn(errorCodes, text);

/** The headers of an error answer (D139). */
export const errorHeaders = (status: number, code: ErrorCode) => ({
  'error-code': code,
  'error-retryable': String(isRetryable(status, code)),
});

/** The headers of an error that browsers may read. */
export const exposedErrorHeaders = ['Error-Code', 'Error-Retryable'];

/** The codes that a route gives its errors: at each of their statuses, or at the statuses named. At 409, 422 and 502 they are all. */
export type OwnCodes = readonly ErrorCode[] | Readonly<Partial<Record<number, readonly ErrorCode[]>>>;

/** Only routes answer them, so that the codes they name are all. */
const ofRoutesAlone = [409, 422, 502];

/** The codes that a route's answer of a status can have. */
export const codesOf = (status: number, own: OwnCodes): ErrorCode[] => {
  const named: readonly ErrorCode[] = Array.isArray(own)
    ? own
    : ((own as Record<number, ErrorCode[]>)[status] ?? []);
  const given = named.filter((code) => (errorCodes[code].statuses as readonly number[]).includes(status));
  const common = given.length > 0 && ofRoutesAlone.includes(status) ? [] : [codeOfStatus(status)];
  return [...new Set([...common, ...given])].sort();
};

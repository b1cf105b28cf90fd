/** Temporal headers that accompany the input of a workflow or an activity. */
export const requestIdHeader = 'request-id';
/** The `traceparent` of the caller that started the run, if the caller is traced. */
export const traceparentHeader = 'traceparent';

/**
 * The payload codec (platform/temporal/codec.ts) puts this in the place of an unencrypted payload (D90). The workflow
 * interceptors reject it, so that the run itself says why.
 */
const field = 'scriptrail/refused';

export const unencryptedPayload = { [field]: 'not encrypted' };

export const isUnencryptedPayload = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field);

/**
 * What a run finds in the place of a payload that came to it unencrypted (D90). The payload codec puts it there
 * (platform/temporal/codec.ts), and the workflows' interceptors refuse what holds it, so that the run itself says why.
 */
const field = 'scriptrail/refused';

export const unencryptedPayload = { [field]: 'not encrypted' };

export const isUnencryptedPayload = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, field);

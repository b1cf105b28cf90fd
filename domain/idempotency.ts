/** The 409 for an `Idempotency-Key` that belongs to another request. */
export const keyUsedOtherwiseText = 'Idempotency-Key already used with a different body';

/** Answered (409) to a request whose `Idempotency-Key` stands for another one. */
export const keyUsedOtherwiseText = 'Idempotency-Key already used with a different body';

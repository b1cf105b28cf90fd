export const keyUsedOtherwiseText = 'Idempotency-Key already used with a different body';

import { z } from 'zod';
import { text } from '../platform/http/text.js';

/** The optional header `Idempotency-Key` (D6). @param description the effect of a repeated key */
export const idempotencyHeaders = (description: string) =>
  z.object({
    'idempotency-key': text(200, 'must be 1-200 printable characters')
      .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1-200 printable characters')
      .optional()
      .describe(description),
  });

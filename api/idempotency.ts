import { z } from 'zod';
import { text } from '../platform/http/text.js';

/** The header of routes that are safe to repeat: 1-200 printable characters (D6). @param description what a repeat does */
export const idempotencyHeaders = (description: string) =>
  z.object({
    'idempotency-key': text(200, 'must be 1-200 printable characters')
      .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1-200 printable characters')
      .optional()
      .describe(description),
  });

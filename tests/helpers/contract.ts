import type { z } from 'zod';

/** The fields that a schema rejects, as the answers of an API name them. */
export const rejectedFields = (schema: z.ZodType, value: unknown): string[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path }) => path.join('.'));

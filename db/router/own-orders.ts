import type { Queryable } from '../client.js';

/** Selects, as `is_own`, if one of our own keys sent a submission. */
export const isOwn = (sql: Queryable) =>
  sql`coalesce((select is_own from access.api_key where id = submission.api_key_id), false) as is_own`;

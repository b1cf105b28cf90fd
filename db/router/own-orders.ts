import type { Queryable } from '../client.js';

/** Whether the key that sent a submission is one of our own, as `is_own`. */
export const isOwn = (sql: Queryable) =>
  sql`coalesce((select is_own from access.api_key where id = submission.api_key_id), false) as is_own`;

import type { Queryable } from '../client.js';

/**
 * Consumes a nonce for all processes that verify signatures of this key (D91).
 * @param expiresAt when its timestamp becomes too old
 * @returns false when it was used before
 */
export async function useNonce(
  sql: Queryable,
  { keyId, nonce, expiresAt }: { keyId: string; nonce: string; expiresAt: Date },
): Promise<boolean> {
  // Each insert deletes up to 10 expired rows; the minute covers clock skew between processes.
  const used = await sql`
    with outlived as (
      select key_id, nonce from access.nonce
      where expires_at < now() - interval '1 minute'
      limit 10
      for update skip locked
    ),
    pruned as (
      delete from access.nonce using outlived
      where nonce.key_id = outlived.key_id and nonce.nonce = outlived.nonce
    )
    insert into access.nonce (key_id, nonce, expires_at)
    values (${keyId}, ${nonce}, ${expiresAt})
    on conflict do nothing
    returning 1
  `;
  return used.length > 0;
}

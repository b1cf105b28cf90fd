import type { Queryable } from '../client.js';

/** A proof that opens one request. */
export interface Use {
  keyId: string;
  /** The nonce of version 2 (D91), or a whole signature of version 1 (D158). */
  nonce: string;
  /** Identifies the request that may be repeated with this proof; null: none. */
  opens: string | null;
  /** When its timestamp becomes too old. */
  expiresAt: Date;
}

/**
 * Uses proofs up, for all processes that verify signatures.
 * @returns for each whether it may open its request: false where another request used it before
 */
export async function useUp(sql: Queryable, uses: readonly Use[]): Promise<boolean[]> {
  // Ordered, so that concurrent statements wait for each other in one direction.
  const rows = uses.toSorted((a, b) => (identity(a) < identity(b) ? -1 : 1));
  const added = await sql<Pick<Use, 'keyId' | 'nonce'>[]>`
    insert into access.nonce (key_id, nonce, opens, expires_at)
    select "keyId", nonce, opens, "expiresAt"
    from jsonb_to_recordset(${sql.json(rows as never)}) as use (
      "keyId" text, nonce text, opens text, "expiresAt" timestamptz
    )
    on conflict do nothing
    returning key_id, nonce
  `;
  const isNew = new Set(added.map(identity));
  return Promise.all(
    uses.map(
      async (use) => isNew.delete(identity(use)) || (use.opens !== null && (await isRepeat(sql, use))),
    ),
  );
}

/** Deletes up to 1,000 expired proofs; the minute covers clock skew between processes. */
export async function pruneUsed(sql: Queryable): Promise<void> {
  await sql`
    with expired as (
      select key_id, nonce from access.nonce
      where expires_at < now() - interval '1 minute'
      limit 1000
      for update skip locked
    )
    delete from access.nonce using expired
    where nonce.key_id = expired.key_id and nonce.nonce = expired.nonce
  `;
}

async function isRepeat(sql: Queryable, { keyId, nonce, opens }: Use): Promise<boolean> {
  const rows = await sql`
    select from access.nonce where key_id = ${keyId} and nonce = ${nonce} and opens = ${opens}
  `;
  return rows.length > 0;
}

const identity = ({ keyId, nonce }: Pick<Use, 'keyId' | 'nonce'>) => `${keyId} ${nonce}`;

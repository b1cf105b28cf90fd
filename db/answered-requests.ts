import type { Queryable } from './client.js';

/** Services that recognize repeated create requests by their signature. */
export type AnsweringService = 'orchestrator' | 'registry';

export interface StoredAnswer {
  status: number;
  /** JSON. */
  answer: string;
}

/**
 * Claims a request in the transaction that creates its resource (D91). Waits for a concurrent transaction with the
 * same request: after its commit, returns its answer; after a rollback, claims the request.
 * @param digest identifies the request
 * @param expiresAt when the request becomes too old
 * @returns the recorded answer of an earlier request
 */
export async function claimRequest(
  sql: Queryable,
  service: AnsweringService,
  { digest, expiresAt }: { digest: Buffer; expiresAt: Date },
): Promise<StoredAnswer | undefined> {
  const table = sql(`${service}.answered_request`);
  // Each insert deletes up to 10 expired rows; the minute covers clock skew between processes.
  const claimed = await sql`
    with outlived as (
      select digest from ${table}
      where expires_at < now() - interval '1 minute'
      limit 10
      for update skip locked
    ),
    pruned as (
      delete from ${table} request using outlived where request.digest = outlived.digest
    )
    insert into ${table} (digest, expires_at)
    values (${digest}, ${expiresAt})
    on conflict (digest) do nothing
    returning 1
  `;
  if (claimed.length > 0) return undefined;
  const [stored] = await sql<StoredAnswer[]>`select status, answer from ${table} where digest = ${digest}`;
  if (!stored) throw new Error('A request that was answered has no answer');
  return stored;
}

/** Stores the answer of a request claimed in this transaction. */
export async function keepAnswer(
  sql: Queryable,
  service: AnsweringService,
  digest: Buffer,
  { status, answer }: StoredAnswer,
): Promise<void> {
  await sql`
    update ${sql(`${service}.answered_request`)} set status = ${status}, answer = ${answer} where digest = ${digest}
  `;
}

import type { Queryable } from './client.js';

/** The services whose creating requests are told from repeats by their signature. */
export type AnsweringService = 'orchestrator' | 'registry';

export interface StoredAnswer {
  status: number;
  /** JSON. */
  answer: string;
}

/**
 * Takes a request on, in the transaction of what it creates (D91). While another transaction has it, this waits for its
 * end: committed, its answer is there; rolled back, the request is this one's.
 * @param digest of everything that makes two requests the same one
 * @param expiresAt from when the request is refused for its age
 * @returns what it was answered before, else undefined
 */
export async function claimRequest(
  sql: Queryable,
  service: AnsweringService,
  { digest, expiresAt }: { digest: Buffer; expiresAt: Date },
): Promise<StoredAnswer | undefined> {
  const table = sql(`${service}.answered_request`);
  // More go than come; the minute is for the clocks of other processes.
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

/** Keeps the answer of a request that this transaction has claimed. */
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

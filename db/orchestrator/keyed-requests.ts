import type { Queryable } from '../client.js';

export interface KeyedRequest {
  id: Buffer;
  digest: Buffer;
}

export interface ClaimedKey {
  /** This claim made the row. */
  isNew: boolean;
  /** Another request has the key. */
  isOther: boolean;
  fact: string | null;
  /** null until the request is answered for good. */
  status: number | null;
  answer: string | null;
}

/** Claims an Idempotency-Key for a request, or finds what became of it. Deletes up to 10 rows past their age. */
export async function claimKey(
  sql: Queryable,
  { id, digest }: KeyedRequest,
  fact: string | null = null,
): Promise<ClaimedKey> {
  const made = await sql`
    with aged as (
      select id from orchestrator.keyed_request
      where created_at < now() - interval '30 days'
      limit 10
      for update skip locked
    ), pruned as (
      delete from orchestrator.keyed_request request using aged where request.id = aged.id
    )
    insert into orchestrator.keyed_request (id, digest, fact)
    values (${id}, ${digest}, ${fact})
    on conflict (id) do nothing
    returning 1
  `;
  if (made.length > 0) return { isNew: true, isOther: false, fact, status: null, answer: null };
  const [known] = await sql<Omit<ClaimedKey, 'isNew'>[]>`
    select digest <> ${digest} as is_other, fact, status, answer from orchestrator.keyed_request where id = ${id}
  `;
  // It was rejected meanwhile, and has changed nothing.
  return known ? { ...known, isNew: false } : claimKey(sql, { id, digest }, fact);
}

export async function keepKeyedAnswer(
  sql: Queryable,
  { id }: KeyedRequest,
  { status, answer }: { status: number; answer: string | null },
): Promise<void> {
  await sql`update orchestrator.keyed_request set status = ${status}, answer = ${answer} where id = ${id}`;
}

/** Forgets a rejected request, so that its repeat is judged anew. */
export async function dropKey(sql: Queryable, { id }: KeyedRequest): Promise<void> {
  await sql`delete from orchestrator.keyed_request where id = ${id} and status is null`;
}

/** @param refundKey under which a refund would be found */
export async function isUsedKey(sql: Queryable, id: Buffer, refundKey: string): Promise<boolean> {
  const rows = await sql`
    select from orchestrator.keyed_request where id = ${id}
    union all
    select from orchestrator.part_refund where request_key = ${refundKey}
  `;
  return rows.length > 0;
}

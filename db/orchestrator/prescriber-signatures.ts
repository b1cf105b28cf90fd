import type { Queryable } from '../client.js';

/** Stores a signature image under its digest. Idempotent. */
export async function keepSignature(
  sql: Queryable,
  signature: { id: string; base64: string },
): Promise<void> {
  await sql`insert into orchestrator.prescriber_signature ${sql(signature)} on conflict (id) do nothing`;
}

/** The image as Base64. */
export async function findSignature(sql: Queryable, id: string): Promise<string | undefined> {
  const [signature] = await sql<{ base64: string }[]>`
    select base64 from orchestrator.prescriber_signature where id = ${id}
  `;
  return signature?.base64;
}

import type { Queryable } from './client.js';

/** The highest revocation counter known for an admin; undefined when there is none (D72). */
export const highestKnownVersion =
  (sql: Queryable, schema: string) =>
  async (adminId: string): Promise<number | undefined> => {
    const [row] = await sql<{ ver: number }[]>`
      select ver from ${sql(`${schema}.admin_session`)} where admin_id = ${adminId}
    `;
    return row?.ver;
  };

/** Records a revocation counter; a lower one changes nothing. */
export async function noteVersion(
  sql: Queryable,
  schema: string,
  { adminId, ver }: { adminId: string; ver: number },
): Promise<void> {
  const session = sql(`${schema}.admin_session`);
  await sql`
    insert into ${session} as known (admin_id, ver) values (${adminId}, ${ver})
    on conflict (admin_id) do update set ver = greatest(known.ver, excluded.ver)
  `;
}

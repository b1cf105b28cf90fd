import type { Queryable, Sql } from '../client.js';
import { closeWorkItem, type Fact, openWorkItem } from '../work-items.js';

/** Where the registry was asked for a prescriber. */
interface Place {
  platform: string;
  state: string;
}

const factOf = ({ platform, state }: Place): Fact => ({
  kind: 'prescriber_unlicensed',
  fact: `${platform}:${state}`,
});

/** Opens the work item of a place without a prescriber, once until the registry has one (D122). */
export const openPrescriberGap = (sql: Sql, place: Place): Promise<void> =>
  sql.begin(async (sql) => {
    const { platform, state } = place;
    const { count } = await sql`
      insert into orchestrator.prescriber_gap (platform, state) values (${platform}, ${state})
      on conflict do nothing
    `;
    if (count === 0) return;
    await openWorkItem(sql, 'orchestrator', {
      ...factOf(place),
      reason: 'no_licensed_prescriber',
      references: { platform, state },
    });
  });

/** Closes the work item of a place where the registry has a prescriber again (D122). */
export async function closePrescriberGap(sql: Sql, place: Place): Promise<void> {
  const { platform, state } = place;
  const here = sql`platform = ${platform} and state = ${state}`;
  // Almost every order asks, and finds no gap.
  const { count } = await sql`select from orchestrator.prescriber_gap where ${here}`;
  if (count === 0) return;
  await sql.begin(async (sql) => {
    await sql`delete from orchestrator.prescriber_gap where ${here}`;
    await closeWorkItem(sql, 'orchestrator', factOf(place));
  });
}

/** The places whose turn it is to be asked about again, those that waited longest. */
export const takePrescriberGaps = (sql: Queryable, limit: number) =>
  sql<Place[]>`
    update orchestrator.prescriber_gap set asked_at = now()
    where (platform, state) in (
      select platform, state from orchestrator.prescriber_gap order by asked_at limit ${limit}
    )
    returning platform, state
  `;

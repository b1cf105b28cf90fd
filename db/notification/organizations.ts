import type { Queryable } from '../client.js';

/** Records a new organization. Idempotent. */
export async function recordOrganization(
  sql: Queryable,
  { id, eventId }: { id: string; eventId: string },
): Promise<void> {
  await sql`
    insert into notification.organization (id, event_id) values (${id}, ${eventId})
    on conflict (id) do nothing
  `;
}

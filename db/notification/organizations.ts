import type { Queryable } from '../client.js';

/** Records an organization that came to be; again it changes nothing. */
export async function recordOrganization(
  sql: Queryable,
  { id, eventId }: { id: string; eventId: string },
): Promise<void> {
  await sql`
    insert into notification.organization (id, event_id) values (${id}, ${eventId})
    on conflict (id) do nothing
  `;
}

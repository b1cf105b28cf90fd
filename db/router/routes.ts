import type { Pharmacy } from '../../domain/pharmacy-routing.js';
import type { Queryable } from '../client.js';

/** The pharmacy of the active record with the highest priority. @param state in upper case */
export async function findRoute(sql: Queryable, state: string): Promise<Pharmacy | undefined> {
  const [route] = await sql<{ pharmacy: Pharmacy }[]>`
    select pharmacy
    from router.route
    where state = ${state} and is_active
    order by priority desc, pharmacy
    limit 1
  `;
  return route?.pharmacy;
}

import type { Pharmacy } from '../../domain/pharmacies.js';
import { type Fragment, first, type Queryable } from '../client.js';

export interface Route {
  /** Upper case. */
  state: string;
  pharmacy: Pharmacy;
  priority: number;
  isActive: boolean;
}

/** The active route with the highest priority. @param state in upper case */
export const findRoute = async (sql: Queryable, state: string): Promise<Pharmacy | undefined> =>
  (await first(sql<{ pharmacy: Pharmacy }[]>`${routeOf(sql, state)}`))?.pharmacy;

/** Selects the pharmacy of {@link findRoute}. */
export const routeOf = (sql: Queryable, state: string): Fragment => sql`
  select pharmacy
  from router.route
  where state = ${state} and is_active
  order by priority desc, pharmacy
  limit 1
`;

/** Lists routes in the order of choice. @param state in upper case; all states without it */
export const listRoutes = (sql: Queryable, state?: string) =>
  sql<Route[]>`
    select state, pharmacy, priority, is_active
    from router.route
    ${state === undefined ? sql`` : sql`where state = ${state}`}
    order by state, is_active desc, priority desc, pharmacy
  `;

export async function putRoute(sql: Queryable, route: Route): Promise<void> {
  await sql`
    insert into router.route ${sql(route, 'state', 'pharmacy', 'priority', 'isActive')}
    on conflict (state, pharmacy) do update set priority = excluded.priority, is_active = excluded.is_active
  `;
}

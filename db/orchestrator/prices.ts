import type { CalendarDay } from '../../domain/calendar.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { Queryable } from '../client.js';

/** The price that a pharmacy bills for an order of an article from a day on (D133). */
export interface StoredPrice {
  pharmacy: Pharmacy;
  article: string;
  cents: number;
  from: CalendarDay;
}

const columns = (sql: Queryable) => sql`pharmacy, article, cents, from_day as from`;

/** @param pharmacy all of them if omitted */
export const listPrices = (sql: Queryable, pharmacy?: Pharmacy) =>
  sql<StoredPrice[]>`
    select ${columns(sql)} from orchestrator.price
    ${pharmacy === undefined ? sql`` : sql`where pharmacy = ${pharmacy}`}
    order by pharmacy, article, from_day
  `;

export async function putPrice(
  sql: Queryable,
  { pharmacy, article, cents, from }: StoredPrice,
): Promise<StoredPrice> {
  const [price] = await sql<[StoredPrice]>`
    insert into orchestrator.price (pharmacy, article, from_day, cents)
    values (${pharmacy}, ${article}, ${from}, ${cents})
    on conflict (pharmacy, article, from_day) do update set cents = excluded.cents
    returning ${columns(sql)}
  `;
  return price;
}

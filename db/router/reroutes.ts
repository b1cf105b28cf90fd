import { orderRerouteAsked, type RerouteAsked } from '../../domain/events.js';
import type { Sql } from '../client.js';
import { publishEvent } from '../outbox.js';

/** Publishes that somebody requested a reroute of the client's order (D109). */
export const askForReroute = (sql: Sql, asked: RerouteAsked): Promise<void> =>
  sql.begin(async (sql) => {
    // The lock orders the events of an order.
    await sql`select from router.submission where id = ${asked.submissionId} for update`;
    await publishEvent(sql, 'router', {
      detailType: orderRerouteAsked,
      aggregateId: asked.submissionId,
      detail: { ...asked },
    });
  });

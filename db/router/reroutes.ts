import { orderRerouteAsked, type RerouteAsked } from '../../domain/events.js';
import type { Sql } from '../client.js';
import { publishEvent } from '../outbox.js';

/** Lets the client whose order it is know that somebody wants it at another pharmacy (D109). */
export const askForReroute = (sql: Sql, asked: RerouteAsked): Promise<void> =>
  sql.begin(async (sql) => {
    // The order of an order's events follows from its lock.
    await sql`select from router.submission where id = ${asked.submissionId} for update`;
    await publishEvent(sql, 'router', {
      source: 'router',
      detailType: orderRerouteAsked,
      aggregateId: asked.submissionId,
      organizationId: null,
      detail: { ...asked },
    });
  });

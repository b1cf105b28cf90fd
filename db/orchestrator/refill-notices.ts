import type { Chosen } from './refill-checks.js';
import type { CalendarDay } from '../../domain/calendar.js';
import { refillNoticeDue } from '../../domain/events.js';
import { refillReference } from '../../domain/orchestrator/refills.js';
import type { Sql } from '../client.js';
import { publishEvent } from '../outbox.js';

/**
 * Marks the next refills that are due after a day and until another, and publishes their notices in the same
 * transaction (D121). A refill is marked once, however often its date changes.
 * @returns how many were marked, at most `limit`
 */
export const announceRefills = (
  sql: Sql,
  {
    after,
    until,
    scheduleIds,
    client,
    limit,
  }: Chosen & { after: CalendarDay; until: CalendarDay; limit: number },
): Promise<number> =>
  sql.begin(async (sql) => {
    const marked = await sql<{ scheduleId: string; n: number }[]>`
      with due as (
        select id
        from orchestrator.refill_schedule
        where status = 'active' and next_fill_date > ${after} and next_fill_date <= ${until}
          and refills_sent < total_refills_allowed and noticed_refill is distinct from refills_sent + 1
          ${client === undefined ? sql`` : sql`and client = ${client}`}
          ${scheduleIds ? sql`and id = any(${sql.array([...scheduleIds])}::uuid[])` : sql``}
        order by next_fill_date, id
        limit ${limit}
        for update
      )
      update orchestrator.refill_schedule schedule set noticed_refill = refills_sent + 1
      from due
      where schedule.id = due.id
      returning schedule.id as schedule_id, noticed_refill as n
    `;
    for (const { scheduleId, n } of marked)
      await publishEvent(sql, 'orchestrator', {
        detailType: refillNoticeDue,
        aggregateId: `notice-${refillReference(scheduleId, n)}`,
        detail: { scheduleId, n },
      });
    return marked.length;
  });

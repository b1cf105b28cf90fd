import type { CalendarDay } from '../../domain/calendar.js';
import { businessDay } from '../../platform/business-day.js';
import type { Config } from '../../platform/config.js';
import { first, type Queryable } from '../client.js';

interface Clock {
  today: CalendarDay;
  /** Nobody has set another day. */
  isReal: boolean;
}

/** The clock for trying (D146). Outside development the date of the moment always counts. */
export async function readClock(
  sql: Queryable,
  { NODE_ENV, BUSINESS_TIMEZONE }: Pick<Config, 'NODE_ENV' | 'BUSINESS_TIMEZONE'>,
  moment?: Date,
): Promise<Clock> {
  const set =
    NODE_ENV === 'development' &&
    (await first(sql<Pick<Clock, 'today'>[]>`select today from orchestrator.clock`));
  return set ? { ...set, isReal: false } : { today: businessDay(BUSINESS_TIMEZONE, moment), isReal: true };
}

/** @param today null for the real date */
export async function setClock(sql: Queryable, today: CalendarDay | null): Promise<void> {
  await (today === null
    ? sql`delete from orchestrator.clock`
    : sql`
        insert into orchestrator.clock (today) values (${today})
        on conflict (is_only) do update set today = excluded.today
      `);
}

/** The date of a moment, now by default. */
export type Today = (moment?: Date) => Promise<CalendarDay>;
/** A day, and the time zone in which it begins and ends. */
export interface BusinessDay {
  today: CalendarDay;
  timeZone: string;
}

/** The orchestrator's "today" (D9), for dates of refills and notices; records of the EMR are read by the real date. */
export const orchestratorToday =
  ({ sql, config }: { sql: Queryable; config: Parameters<typeof readClock>[1] }): Today =>
  async (moment) =>
    (await readClock(sql, config, moment)).today;

/** Like {@link orchestratorToday}, with the time zone. */
export const orchestratorDay =
  (context: { sql: Queryable; config: Parameters<typeof readClock>[1] }): (() => Promise<BusinessDay>) =>
  async () => ({
    today: await orchestratorToday(context)(),
    timeZone: context.config.BUSINESS_TIMEZONE,
  });

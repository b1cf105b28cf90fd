import type { CalendarDay } from '../domain/calendar.js';
import { businessDay } from './business-day.js';

const hourMs = 60 * 60 * 1000;

/** The first moment of a day in a zone (D9), also where the clock is changed on that day. */
export function startOfDay(day: CalendarDay, timeZone: string): Date {
  const middle = Date.parse(`${day}T00:00:00Z`);
  let [before, from] = [middle - 16 * hourMs, middle + 16 * hourMs];
  while (from - before > 1) {
    const at = Math.floor((before + from) / 2);
    if (businessDay(timeZone, new Date(at)) >= day) from = at;
    else before = at;
  }
  return new Date(from);
}

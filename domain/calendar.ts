/** A day as `YYYY-MM-DD`, without a time or a zone (D9). `<` and `>` compare two days. */
export type CalendarDay = string;

const dayMs = 24 * 60 * 60 * 1000;

/** True for a day that exists: `2024-02-30` does not, and neither does the year 0. */
export function isCalendarDay(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The day `days` later, or earlier if negative. @throws RangeError outside the years 1 to 9999 */
export function addDays(day: CalendarDay, days: number): CalendarDay {
  if (!isCalendarDay(day)) throw new RangeError('Not a calendar day');
  const result = new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
  if (!isCalendarDay(result)) throw new RangeError('Not a calendar day of four-digit years');
  return result;
}

/** Days from one to another, both included. */
export interface Period {
  from: CalendarDay;
  to: CalendarDay;
}

/** The periods that days make, whatever their order. */
export function periodsOf(days: readonly CalendarDay[]): Period[] {
  const periods: Period[] = [];
  for (const day of days.toSorted()) {
    const last = periods.at(-1);
    if (last && addDays(last.to, 1) === day) last.to = day;
    else periods.push({ from: day, to: day });
  }
  return periods;
}

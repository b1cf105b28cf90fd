import type { CalendarDay } from '../domain/calendar.js';

/** Creating one takes as long as a database statement. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The specification's "today" (D9). Not for workflow code, where the machine's time-zone data would break replay.
 * @param timeZone IANA name, `BUSINESS_TIMEZONE`
 */
export function businessDay(timeZone: string, at: Date = new Date()): CalendarDay {
  const parts = formatOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((found) => found.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
  formats.set(timeZone, format);
  return format;
}

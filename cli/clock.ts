import { type Command, InvalidArgumentError } from 'commander';
import { addDays, type CalendarDay, isCalendarDay } from '../domain/calendar.js';
import { ask } from './lists.js';

interface Clock {
  today: CalendarDay;
  isReal: boolean;
}
type NewDay = { on: CalendarDay | null } | { days: number };

const call = { service: 'orchestrator', key: 'admin', path: '/orchestrator/clock' } as const;

/** `rx clock`: what the orchestrator of a development system takes for today (D146). */
export function addClockCommand(program: Command): void {
  program
    .command('clock')
    .description('show or set what counts as today, in development')
    .argument('[day]', 'YYYY-MM-DD, +27d, or real', readDay)
    .action(async (day: NewDay | undefined) => {
      const before = await ask<Clock>(call);
      const { today, isReal } = day === undefined ? before : await setClock(dayFrom(before, day));
      console.log(isReal ? `Today is ${today}, the real date.` : `Today is ${today}, and not the real date.`);
    });
}

/** Sets what counts as today; null returns to the real date. */
export const setClock = (today: CalendarDay | null): Promise<Clock> =>
  ask({ ...call, method: 'PUT', body: JSON.stringify({ today }) });

const dayFrom = ({ today }: Clock, day: NewDay): CalendarDay | null =>
  'days' in day ? addDays(today, day.days) : day.on;

function readDay(text: string): NewDay {
  if (text === 'real') return { on: null };
  const [, days] = /^\+(\d{1,5})d$/.exec(text) ?? [];
  if (days !== undefined) return { days: Number(days) };
  if (!isCalendarDay(text))
    throw new InvalidArgumentError('Give a day as YYYY-MM-DD, days to add as +27d, or real.');
  return { on: text };
}

import type { CloseActivities } from '../../../activities/orchestrator/daily-close.js';
import type { Period } from '../../../domain/calendar.js';
import type { closeDay as workflow } from '../../../workflows/orchestrator/close-day.js';
import { goodActivities } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

const date = '2026-03-01';
const day = (of: string): Period => ({ from: of, to: of });

/** A close whose charges have `pages` pages. @param args without a date, as the schedule starts it */
function close(
  expect: Expected,
  { pages = 1, periods = [day(date)] as Period[] | null, args = [{ date }] as [{ date?: string }] | [] } = {},
) {
  let matches = 0;
  const activities: CloseActivities = {
    dayToClose: async () => date,
    openClose: async () => periods,
    readPages: async ({ source, cursor }) => {
      const read = Number(cursor ?? 0) + 1;
      return source === 'charges' && read < pages ? String(read) : null;
    },
    matchPage: async () => (matches += 1) < 2,
    finishClose: async () => undefined,
  };
  return { expect, args, activities: { ...goodActivities(), ...activities } };
}

export const closeDay: CasesOf<typeof workflow> = {
  closed: close(
    {
      behavior: 'every source is read to its last page before anything is matched',
      result: { date },
      times: { readPages: 7, matchPage: 2, finishClose: 1 },
    },
    { pages: 3 },
  ),
  late: close(
    {
      behavior: 'earlier closed days are read too',
      times: { readPages: 10 },
    },
    { periods: [day('2026-02-26'), { from: '2026-02-28', to: date }] },
  ),
  'closed-before': close(
    { behavior: 'a closed day stays as it is', times: { readPages: 0, finishClose: 0 } },
    { periods: null },
  ),
  'continued-as-new': close(
    {
      behavior: 'a large day continues as a new run, and is opened once',
      result: { date },
      times: { openClose: 1, readPages: 54 },
    },
    { pages: 50 },
  ),
  yesterday: close(
    {
      behavior: 'the schedule starts the close of the day before',
      result: { date },
      times: { dayToClose: 1 },
      openChildren: ['closeDay'],
    },
    { args: [] },
  ),
};

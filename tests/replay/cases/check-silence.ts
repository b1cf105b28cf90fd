import type { AskedPage, SilenceActivities } from '../../../activities/router/silence.js';
import type { checkSilence as workflow } from '../../../workflows/router/check-silence.js';
import type { CasesOf, Expected } from '../cases.js';

/** The result of each page of a pharmacy; after those there is none. */
function checking(expect: Expected, pages: Record<'pharmacy_a' | 'pharmacy_b', AskedPage[]>) {
  const activities: SilenceActivities = {
    askSilentOrders: async ({ pharmacy }) => pages[pharmacy].shift() ?? { asked: 0, inVain: 0 },
  };
  return { args: [] as [], activities, expect };
}

export const checkSilence: CasesOf<typeof workflow> = {
  nothing: checking(
    { behavior: 'each pharmacy is looked at once where none is silent', times: { askSilentOrders: 2 } },
    { pharmacy_a: [], pharmacy_b: [] },
  ),
  pages: {
    ...checking(
      {
        behavior: 'page after page of each pharmacy is asked for, until none is left',
        times: { askSilentOrders: 5 },
        details: ['24 orders', '3 without answer'],
      },
      {
        pharmacy_a: [
          { asked: 10, inVain: 0 },
          { asked: 10, inVain: 3 },
        ],
        pharmacy_b: [{ asked: 4, inVain: 0 }],
      },
    ),
    skipTime: true,
  },
};

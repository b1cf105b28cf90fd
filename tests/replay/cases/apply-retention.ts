import type { RuleName } from '../../../domain/retention/ages.js';
import type { applyRetention as workflow } from '../../../workflows/retention/apply-retention.js';
import type { CasesOf } from '../cases.js';

const onePage = { applyAge: async () => ({ count: 1, isDone: true }) };

export const applyRetention: CasesOf<typeof workflow> = {
  pages: {
    args: [],
    activities: paging(),
    expect: {
      behavior: 'every rule is applied until nothing is left, and the numbers are told in plain words',
      result: { outboxDetails: 20_007, outboxEntries: 0, downstreamCalls: 0 },
      times: { applyAge: 11 },
      details: [
        '- **20007** details of delivered events, older than 7 days: emptied',
        '- **0** webhooks with an invalid signature, older than 30 days: deleted',
        '**Done.**',
      ],
    },
  },
  'all-rules': {
    args: [],
    activities: onePage,
    expect: { behavior: 'what people did has an age too', result: { workItems: 1, recoveries: 1 } },
  },
  'after-another': {
    args: [{ outboxDetails: 5 }],
    activities: onePage,
    expect: { behavior: 'it goes on counting where the run before it ended', result: { outboxDetails: 6 } },
  },
};

/** The first rule has a page more than one attempt takes. */
function paging() {
  let asked = 0;
  return {
    applyAge: async ({ rule }: { rule: RuleName }) => {
      if (rule !== 'outboxDetails') return { count: 0, isDone: true };
      asked += 1;
      return asked % 2 === 1 ? { count: 20_000, isDone: false } : { count: 7, isDone: true };
    },
  };
}

import type { Found, Unknown, UnknownOrderActivities } from '../../../activities/router/unknown-orders.js';
import { settleSeconds } from '../../../domain/settling.js';
import type { settleSubmission as workflow } from '../../../workflows/router/settle-submission.js';
import type { CasesOf, Expected } from '../cases.js';

const submissionId = '00000000-0000-5000-8000-000000000009';
const claims = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

/** Lost by the n-th request a moment ago. */
const unknownNow = (n: number): Unknown => ({
  claimId: claims[n]!,
  pharmacy: 'pharmacy_a',
  looksAtMs: settleSeconds.map((seconds) => Date.now() + seconds * 1_000),
});

/** An order whose answers are lost when it is looked at, and what each look finds. */
function asking(expect: Expected, found: readonly Found[], replaced: Partial<UnknownOrderActivities> = {}) {
  let looks = 0;
  let isSettled = false;
  const activities: UnknownOrderActivities = {
    openUnknownOrder: async () => (isSettled ? null : unknownNow(0)),
    askForOrder: async () => {
      const answer = found[looks++] ?? 'unanswered';
      isSettled = answer === 'over';
      return answer;
    },
    reportUnknownOrder: async () => true,
    ...replaced,
  };
  const startedBy = { signal: 'recheck', args: [] };
  return { args: [submissionId] as [string], activities, startedBy, skipTime: true as const, expect };
}

export const settleSubmission: CasesOf<typeof workflow> = {
  exists: asking(
    {
      behavior: 'it is asked for until the pharmacy answers, and the first answer decides',
      result: 'exists',
      times: { askForOrder: 3, reportUnknownOrder: 0 },
      details: ['the order exists'],
    },
    ['unanswered', 'unanswered', 'exists'],
  ),
  absent: asking(
    {
      behavior: 'an order that the pharmacy does not have is settled by its first answer',
      result: 'absent',
      times: { askForOrder: 1, reportUnknownOrder: 0 },
    },
    ['absent', 'exists'],
  ),
  'in-vain': asking(
    {
      behavior: 'asked five times in vain, a person is told',
      result: 'unanswered',
      times: { askForOrder: 5, reportUnknownOrder: 1 },
      details: ['Work item `order_unknown`'],
    },
    [],
  ),
  repeated: asking(
    {
      behavior: 'a repeat that is answered settles it: nothing is left to ask for',
      result: 'over',
      times: { askForOrder: 1, reportUnknownOrder: 0 },
    },
    ['over'],
  ),
  'lost-again': lostAgain(),
};

/** Before the first look a repeat of the submission has taken it over, and is not answered either. */
function lostAgain() {
  let claim = 0;
  return asking(
    {
      behavior: 'a repeat that is not answered either begins the asking anew',
      result: 'exists',
      inputs: { askForOrder: [{ claimId: claims[0] }, { claimId: claims[1] }] },
    },
    [],
    {
      openUnknownOrder: async () => unknownNow(claim),
      askForOrder: async () => (claim++ === 0 ? 'over' : 'exists'),
    },
  );
}

import type { IntakeMailActivities } from '../../../activities/intake/mails.js';
import type { abandonedCheckout as workflow } from '../../../workflows/intake/abandoned-checkout.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

/** A checkout whose reminder is tried until it ends so. */
export const following = (
  remindOfCheckout: IntakeMailActivities['remindOfCheckout'],
  expect: Expected,
): CheckedCase<Parameters<typeof workflow>> & { skipTime: true } => ({
  args: [
    {
      email: 'ada@example.test',
      codeId: '00000000-0000-4000-8000-000000000006',
      since: '2026-01-05T09:00:00.000Z',
    },
  ],
  activities: { remindOfCheckout },
  skipTime: true,
  expect,
});
const sent = async () => 'sent' as const;

export const abandonedCheckout: CasesOf<typeof workflow> = {
  reminded: following(sent, {
    behavior: 'who does not submit is reminded once',
    result: 'reminded',
    inputs: { remindOfCheckout: [{ attempt: 1 }] },
  }),
  'submitted-late': following(async () => 'obsolete', {
    behavior: 'nobody is reminded whose submission is on record although its signal was lost',
    result: 'obsolete',
  }),
  submitted: {
    ...following(sent, { behavior: 'nobody is reminded who has submitted', result: 'submitted', calls: [] }),
    startedBy: { signal: 'submitted', args: [] },
  },
};

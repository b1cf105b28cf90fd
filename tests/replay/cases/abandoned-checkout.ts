import type { MailOutcome } from '../../../domain/mail.js';
import type { abandonedCheckout as workflow } from '../../../workflows/intake/abandoned-checkout.js';
import type { CasesOf } from '../cases.js';

const following = (outcome: MailOutcome) => ({
  args: [
    {
      email: 'ada@example.test',
      codeId: '00000000-0000-4000-8000-000000000006',
      since: '2026-01-05T09:00:00.000Z',
    },
  ] as Parameters<typeof workflow>,
  activities: { remindOfCheckout: async () => outcome },
  skipTime: true as const,
});

export const abandonedCheckout: CasesOf<typeof workflow> = {
  reminded: following('sent'),
  'submitted-late': following('obsolete'),
  submitted: { ...following('sent'), startedBy: { signal: 'submitted', args: [] } },
};

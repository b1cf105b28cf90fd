import type { IntakeMailActivities } from '../../../activities/intake/mails.js';
import type { MailOutcome } from '../../../domain/mail.js';
import type { sendCode as workflow } from '../../../workflows/intake/send-code.js';
import { failingFirst, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const sending = (sendVerificationCode: IntakeMailActivities['sendVerificationCode']) => ({
  args: [
    { codeId: '00000000-0000-4000-8000-000000000006', email: 'ada@example.test', code: '123456' },
  ] as Parameters<typeof workflow>,
  activities: { sendVerificationCode },
  skipTime: true as const,
});
const after = (undelivered: number, outcome: MailOutcome) => {
  let calls = 0;
  return async () => (++calls <= undelivered ? 'undelivered' : outcome);
};

export const sendCode: CasesOf<typeof workflow> = {
  sent: sending(after(0, 'sent')),
  'sent-at-last': sending(after(2, 'sent')),
  obsolete: sending(after(1, 'obsolete')),
  'no-verdict-at-first': sending(failingFirst(2, async () => 'sent' as const)),
  refused: sending(refusal('Notification service answered 401')),
};

import type { SignInActivities, SignInCode } from '../../../activities/organization/sign-in.js';
import type { MailOutcome } from '../../../domain/mail.js';
import type { sendSignInCode as workflow } from '../../../workflows/organization/send-sign-in-code.js';
import { failingFirst, refusal } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const signIn: SignInCode = {
  codeId: '00000000-0000-4000-8000-00000000000a',
  email: 'kim@example.test',
  code: '123456',
};
const mailing = (mailSignInCode: SignInActivities['mailSignInCode']) => ({
  args: [signIn] as [SignInCode],
  activities: { mailSignInCode },
  skipTime: true as const,
});
const after = (undelivered: number, outcome: MailOutcome) => {
  let calls = 0;
  return async () => (++calls <= undelivered ? 'undelivered' : outcome);
};

export const sendSignInCode: CasesOf<typeof workflow> = {
  mailed: mailing(after(0, 'sent')),
  'mailed-at-last': mailing(after(2, 'sent')),
  obsolete: mailing(after(1, 'obsolete')),
  'no-verdict-at-first': mailing(failingFirst(2, async () => 'sent' as const)),
  refused: mailing(refusal('Notification service answered 401')),
  running: {
    args: [signIn],
    activities: { mailSignInCode: after(0, 'sent') },
    openAt: 'mailSignInCode',
  },
};

import type { SignInActivities, SignInCode } from '../../../activities/organization/sign-in.js';
import type { sendSignInCode as workflow } from '../../../workflows/send-sign-in-code.js';
import { refusal } from '../../workflows/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const signIn: SignInCode = {
  codeId: '00000000-0000-4000-8000-00000000000a',
  email: 'kim@example.test',
  code: '123456',
};
const mailing = (mailSignInCode: SignInActivities['mailSignInCode']) => ({
  args: [signIn] as [SignInCode],
  activities: { mailSignInCode },
});

export const sendSignInCode: CasesOf<typeof workflow> = {
  mailed: mailing(async () => undefined),
  'not-delivered': mailing(refusal('The mail could not be delivered')),
  running: { ...mailing(async () => undefined), openAt: 'mailSignInCode' },
};

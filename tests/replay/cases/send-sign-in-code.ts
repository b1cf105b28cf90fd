import type { sendSignInCode as workflow } from '../../../workflows/organization/send-sign-in-code.js';
import { codeMails, outcomes } from '../../workflows/code-mails.js';
import type { CasesOf } from '../cases.js';

const args: Parameters<typeof workflow> = [
  { codeId: '00000000-0000-4000-8000-00000000000a', email: 'kim@example.test', code: '123456' },
];
export const mails = () => codeMails(args, 'mailSignInCode');
const { sent, sentAtLast, obsolete, refused } = mails();

export const sendSignInCode: CasesOf<typeof workflow> = {
  mailed: sent,
  'mailed-at-last': sentAtLast,
  obsolete,
  refused,
  running: { args, activities: { mailSignInCode: outcomes('sent') }, openAt: 'mailSignInCode' },
};

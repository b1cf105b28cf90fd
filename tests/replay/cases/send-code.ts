import type { sendCode as workflow } from '../../../workflows/intake/send-code.js';
import { codeMails } from '../../workflows/code-mails.js';
import type { CasesOf } from '../cases.js';

export const mails = () =>
  codeMails<Parameters<typeof workflow>>(
    [{ codeId: '00000000-0000-4000-8000-000000000006', email: 'ada@example.test', code: '123456' }],
    'sendVerificationCode',
  );
const { sent, sentAtLast, obsolete, refused } = mails();

export const sendCode: CasesOf<typeof workflow> = {
  sent,
  'sent-at-last': sentAtLast,
  obsolete,
  refused,
};

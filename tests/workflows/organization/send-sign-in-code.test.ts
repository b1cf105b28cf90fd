import { describe } from '@jest/globals';
import { mails, sendSignInCode } from '../../replay/cases/send-sign-in-code.js';
import { useRuns } from '../runs.js';

const { judge } = useRuns('sendSignInCode');

describe('a sign-in code', () => {
  judge(sendSignInCode);
  judge({ outage: mails().awayForLong });
});

import { describe } from '@jest/globals';
import { mails, sendSignInCode } from '../../replay/cases/send-sign-in-code.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('sendSignInCode');

describe('a sign-in code', () => {
  testCases(sendSignInCode);
  testCases({ outage: mails().awayForLong });
});

import { describe } from '@jest/globals';
import { mails, sendCode } from '../../replay/cases/send-code.js';
import { useRuns } from '../runs.js';

const { testCases } = useRuns('sendCode');

describe('a verification code', () => {
  testCases(sendCode);
  testCases({ outage: mails().awayForLong });
});

import { describe } from '@jest/globals';
import { mails, sendCode } from '../../replay/cases/send-code.js';
import { useRuns } from '../runs.js';

const { judge } = useRuns('sendCode');

describe('a verification code', () => {
  judge(sendCode);
  judge({ outage: mails().awayForLong });
});

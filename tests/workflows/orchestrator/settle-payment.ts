import { describe } from '@jest/globals';
import { settlePayment, settling } from '../../replay/cases/settle-payment.js';
import { useRuns } from '../runs.js';
import { failingFirst } from './pipeline-activities.js';

const { judge } = useRuns('settlePayment');
const found = { outcome: { status: 'succeeded' as const, paymentIntentId: 'pi_1' } };

describe('a charge that was not answered', () => {
  judge(settlePayment);
  judge({
    outage: settling(
      failingFirst(40, async () => found),
      { says: 'it is asked for through an outage of hours', result: 'succeeded' },
    ),
  });
});

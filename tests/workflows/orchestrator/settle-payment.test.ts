import { describe, expect, it } from '@jest/globals';
import { settlePayment, settling, shownAs } from '../../replay/cases/settle-payment.js';
import { useRuns } from '../runs.js';
import { failingFirst } from './pipeline-activities.js';

const { testCases } = useRuns('settlePayment');
const found = { outcome: { status: 'succeeded' as const, paymentIntentId: 'pi_1' } };

describe('a charge that was not answered', () => {
  testCases(settlePayment);

  it('is shown as stuck five minutes after its first failure, not before', () => {
    // Attempts after 0, 5, 15, 35, 75, 155, 315, 635 s and each ten minutes.
    expect(shownAs).toEqual([
      ...Array.from({ length: 6 }, () => undefined),
      ...Array.from({ length: 4 }, () => 'findCharge'),
    ]);
  });
  testCases({
    outage: settling(
      failingFirst(40, async () => found),
      { behavior: 'it is asked for through an outage of hours', result: 'succeeded' },
    ),
  });
});

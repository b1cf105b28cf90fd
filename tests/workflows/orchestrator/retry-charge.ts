import { describe } from '@jest/globals';
import { retry, retryCharge } from '../../replay/cases/retry-charge.js';
import { useRuns } from '../runs.js';
import { charge, refusal } from './pipeline-activities.js';

const { judge } = useRuns('retryCharge');

const second = { kind: 'charge' as const, attempt: 2, charge: { ...charge, chargeKey: 'charge:task:2' } };

describe('a charge that is tried again', () => {
  judge(retryCharge);
  judge({
    'next number': retry(
      {
        says: 'it is made under it, and its verdict recorded there',
        inputs: {
          chargeCard: [{ charge: { chargeKey: 'charge:task:2' } }],
          recordPayment: [{ attempt: 2, outcome: { status: 'succeeded', paymentIntentId: 'pi_1' } }],
        },
      },
      { openCharge: async () => ({ ...second, isFirst: true }) },
    ),
    'no card': retry(
      {
        says: 'nothing is charged, and it says why',
        calls: ['openCharge'],
        details: ['The patient has no saved card'],
      },
      { openCharge: refusal('The patient has no saved card') },
    ),
    coupon: retry(
      {
        says: 'the processor is asked for it first',
        calls: ['openCharge', 'findCoupon', 'openCharge', 'chargeCard', 'recordPayment'],
      },
      {
        openCharge: async ({ coupon }) =>
          coupon === undefined ? { kind: 'coupon', couponId: 'C' } : { ...second, isFirst: true },
      },
    ),
  });
});

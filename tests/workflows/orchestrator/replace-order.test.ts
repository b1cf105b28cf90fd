import { describe } from '@jest/globals';
import { replaceOrder, replacingOrder } from '../../replay/cases/replace-order.js';
import { useRuns } from '../runs.js';
import { failingFirst } from './pipeline-activities.js';

const { testCases } = useRuns('replaceOrder');

describe('a shipped order that is replaced', () => {
  testCases(replaceOrder);
  testCases({
    outages: {
      ...replacingOrder(
        {
          behavior: 'waits for the router, and asks for one order',
          result: { state: 'ordered' },
          times: { placeReplacement: 31, recordReplacementOrder: 1, chargeSavedCard: 1 },
        },
        {
          placeReplacement: failingFirst(30, async () => ({
            placed: { submissionId: 's', pharmacy: 'pharmacy_b', pharmacyOrderId: 'b-1' },
          })),
        },
      ),
      skipTime: true,
    },
  });
});

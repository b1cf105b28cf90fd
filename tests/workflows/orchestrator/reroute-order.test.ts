import { describe } from '@jest/globals';
import { live, moving, rerouteOrder, run } from '../../replay/cases/reroute-order.js';
import { useRuns } from '../runs.js';
import { failingFirst, refusal } from './pipeline-activities.js';

const { testCases } = useRuns('rerouteOrder');
const refill = 'refill-00000000-0000-7000-8000-000000000002-1';
const unplaced = {
  ...run,
  workflowId: 'refill:never-placed',
  kind: 'refill' as const,
  isFailed: true,
  isUnplaced: true,
};

describe('an order that is moved to another pharmacy', () => {
  testCases(rerouteOrder);
  testCases({
    outages: {
      ...moving(
        {
          behavior: 'waits for its turn and for the router, and asks for one order',
          result: { state: 'moved' },
          times: { placeAgain: 31, recordMoved: 1 },
        },
        {
          placeAgain: failingFirst(30, async () => ({
            placed: { submissionId: 's', pharmacy: 'pharmacy_b', pharmacyOrderId: 'b-1' },
          })),
        },
      ),
      skipTime: true,
    },
    'no-label': moving(
      { behavior: 'goes on although its shipment cannot be made', result: { state: 'moved' } },
      { shipOrder: refusal('No') },
    ),
    'never-ordered': moving(
      {
        behavior: 'is let go where the router has never had it',
        failure: { name: 'ActivityFailure' },
        calls: ['openReroute', 'checkReroute', 'endReroute'],
      },
      { checkReroute: refusal('There is no order to move', 'TaskConflict') },
    ),
    'never-placed': moving(
      {
        behavior: 'is first ordered by the run of its refill where the router had refused it',
        result: { state: 'moved' },
        inputs: {
          moveReference: [{ pharmacy: 'pharmacy_b', freed: { reference: refill } }],
          claimTask: [{ reference: refill, isMoved: true }],
        },
        times: { checkReroute: 0, placeAgain: 0, submitToPharmacy: 1, recordPlaced: 1 },
      },
      {
        openReroute: async () => ({
          run: unplaced,
          references: [refill],
          live: { ...live, reference: refill },
        }),
        recordPlaced: async () => ({
          state: 'moved',
          submissionId: 's',
          pharmacy: 'pharmacy_b',
          reference: `${refill}#2`,
        }),
      },
      refill,
    ),
  });
});

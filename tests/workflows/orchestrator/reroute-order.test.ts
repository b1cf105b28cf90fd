import { describe } from '@jest/globals';
import { claiming, moving, rerouteOrder } from '../../replay/cases/reroute-order.js';
import { useRuns } from '../runs.js';
import { failingFirst, refusal } from './pipeline-activities.js';

const { testCases } = useRuns('rerouteOrder');

const shipTo = { addressLine1: '1 Oak St', city: 'Houston', state: 'TX', zip: '77002' };

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
    'another-address': moving(
      {
        behavior: 'goes to the new address, though a lost run had taken the reference for another one',
        result: { state: 'moved' },
        times: { cancelOrder: 1 },
        inputs: {
          checkReroute: [{ live: 'task#2', shipTo }],
          moveReference: [
            { shipTo, freed: { reference: 'task#2' } },
            { shipTo, freed: null },
          ],
          placeAgain: [{ shipTo }],
        },
      },
      {
        openReroute: claiming({
          live: { reference: 'task#2', n: 2, pharmacy: 'pharmacy_b', submissionId: null, isMissing: false },
          shipTo,
          isOtherAddress: true,
        }),
      },
    ),
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
  });
});

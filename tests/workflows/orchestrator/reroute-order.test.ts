import { describe } from '@jest/globals';
import { claiming, moving, placedAtC, rerouteOrder } from '../../replay/cases/reroute-order.js';
import { useRuns } from '../runs.js';
import { failingFirst, refusal, unanswered } from './pipeline-activities.js';

const { testCases } = useRuns('rerouteOrder');

const taken = {
  reference: 'task#2',
  n: 2,
  pharmacy: 'pharmacy_b' as const,
  isMissing: false,
  isFromReroute: true,
};
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
          live: { ...taken, submissionId: null },
          shipTo,
          isOtherAddress: true,
        }),
      },
    ),
    'moved-before': moving(
      {
        behavior: 'gets its label, though a lost run had recorded the new order',
        result: { state: 'moved' },
        calls: [
          'openReroute',
          'checkReroute',
          'moveReference',
          'placeAgain',
          'recordMoved',
          'shipOrder',
          'endReroute',
        ],
        inputs: { checkReroute: [{ references: ['task'], live: null }], endReroute: [{ taskId: 'task' }] },
      },
      { openReroute: claiming({ references: ['task#2', 'task'], live: { ...taken, submissionId: 's' } }) },
    ),
    'lost-label': moving(
      {
        behavior: 'has a run of its own for a label that is not answered, and no work item yet',
        result: { state: 'moved' },
        times: { recordFailedShipment: 0 },
        openChildren: ['settleShipment'],
      },
      { placeAgain: placedAtC, shipOrder: unanswered },
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

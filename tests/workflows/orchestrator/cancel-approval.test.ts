import { describe } from '@jest/globals';
import { cancelApproval, owedRefund, taking } from '../../replay/cases/cancel-approval.js';
import { useRuns } from '../runs.js';
import { failingFirst, refusal } from './pipeline-activities.js';

const { testCases } = useRuns('cancelApproval');

describe('an approval that is taken back', () => {
  testCases(cancelApproval);
  testCases({
    outages: {
      ...taking(
        { behavior: 'waits for the run of the task, the router and the processor, however long they take' },
        {
          findOrderAtEnd: failingFirst(30, async () => ({ state: 'ordered' as const, reference: 'task' })),
          cancelOrder: failingFirst(30, async () => ({ state: 'approved' as const, submissionId: 's' })),
          findOwedRefund: async () => owedRefund(),
          refundCharge: failingFirst(30, async () => 29_900),
        },
      ),
      skipTime: true,
    },
    found: taking(
      {
        behavior: 'stays denied if the pharmacy has the order under the same id after all',
        calls: [
          'openCancellation',
          'findOrderAtEnd',
          'findReplacements',
          'cancelOrder',
          'lookForOrder',
          'cancelOrder',
          'recordDenied',
        ],
        inputs: {
          cancelOrder: [{ reference: 'task' }, { reference: 'task', deniedAt: 'a-1' }],
          recordDenied: [{ taskId: 'task', reason: 'not_found' }],
        },
      },
      {
        cancelOrder: async () => ({
          state: 'denied' as const,
          submissionId: 's',
          reason: 'not_found',
          pharmacyOrderId: 'a-1',
        }),
        lookForOrder: async () => ({ found: true }),
      },
    ),
    untold: taking(
      {
        behavior: 'stays cancelled although the patient cannot be told',
        times: { recordCancelled: 1 },
      },
      {
        findOrderAtEnd: async () => ({ state: 'stopped' }),
        findOwedRefund: async () => ({ kind: 'nothing' }),
        notifyPatient: refusal('No channel could deliver the notification'),
      },
    ),
  });
});

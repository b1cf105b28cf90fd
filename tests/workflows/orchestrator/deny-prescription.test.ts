import { describe, expect, it } from '@jest/globals';
import { ownRun } from '../../replay/cases.js';
import { denial, denyPrescription, untold } from '../../replay/cases/deny-prescription.js';
import { useRuns } from '../runs.js';
import { failingFirst, outage, refusal } from './pipeline-activities.js';

const { run, testCases } = useRuns('denyPrescription');

describe('a denial', () => {
  testCases(denyPrescription);
  testCases({
    'no reason': denial(
      { behavior: 'tells none', inputs: { notifyPatient: [{ variables: { reason: '' } }] } },
      {},
      { taskId: 'task', emrPatientId: 'patient-1' },
    ),
    'not in the EMR': untold({ fetchContact: refusal('Patient not found in EMR: p1') }),
    'EMR down': untold({ fetchContact: outage }),
    'notification service away for longer than is waited': untold({
      notifyPatient: refusal('Notification service could not be reached (ECONNREFUSED)', 'Unavailable'),
    }),
    'database down': denial(
      { behavior: 'it waits for its record', result: { repeated: false }, times: { notifyPatient: 1 } },
      {
        claimDenial: failingFirst(30, async () => true),
        finishDenial: failingFirst(30, async () => undefined),
      },
    ),
    cancelled: denial(
      { behavior: 'it is carried through', result: { repeated: false }, times: { notifyPatient: 1 } },
      {
        claimDenial: () =>
          ownRun()
            .cancel()
            .then(() => true),
      },
    ),
  });

  it('tells the patient under the id of its run, so that a repeat is the same notice', async () => {
    const { inputs, handle } = await run(denyPrescription['told']!);
    const { runId } = await handle.describe();
    expect(inputs('notifyPatient')).toMatchObject([{ reference: runId }]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';
import { failing, processRefill, refill } from '../../replay/cases/process-refill.js';
import { useRuns } from '../runs.js';
import { outage, refusal } from './pipeline-activities.js';

const { run, testCases } = useRuns('processRefill');

describe('a refill', () => {
  testCases(processRefill);
  testCases({
    dosage: refill(
      {
        behavior: 'is that of its schedule',
        inputs: { submitToPharmacy: [{ dosage: 'half as much' }] },
      },
      {},
      'half as much',
    ),
    warned: refill(
      {
        behavior: 'moves its schedule on too',
        inputs: { recordOutcome: [{ result: { warnings: ['payment_failed'] }, refill: { n: 2 } }] },
      },
      { chargeSavedCard: refusal('The patient has no saved card') },
    ),
    inactive: refill(
      { behavior: 'of an inactive medication continues', result: { success: true } },
      { claimTask: async () => ({ config: { ...builtInMedication('semaglutide')!, isActive: false } }) },
    ),
    'not configured': failing('medication_config', {
      claimTask: async () => ({ config: null }),
    }),
    dead: refill(
      {
        behavior: 'of a patient who died fails with how the patient left',
        failure: { type: 'StepFailed' },
        inputs: { recordOutcome: [{ failedApproval: { reason: 'patient_deceased' } }] },
      },
      { fetchPatient: refusal('Patient is deceased in EMR: patient-1', 'PatientLeft') },
    ),
    'EMR down': failing('patient_details', { fetchPatient: outage }),
  });

  it('is claimed for its run, and allows no refills of its own', async () => {
    const { inputs, handle } = await run(processRefill['sent']!);
    const { runId, workflowId } = await handle.describe();
    expect(inputs('claimTask')).toMatchObject([{ runId, workflowId }]);
    expect(inputs('recordOutcome')[0]).not.toHaveProperty('allows');
  });

  it('that fails leaves its schedule as it was', async () => {
    const { inputs } = await run(processRefill['failed']!);
    expect(inputs('recordOutcome')[0]).not.toHaveProperty('refill');
    expect(inputs('recordOutcome')).toMatchObject([{ failedApproval: { reason: 'pharmacy_submission' } }]);
  });
});

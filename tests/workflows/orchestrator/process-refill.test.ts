import { describe, expect, it } from '@jest/globals';
import { builtInMedication } from '../../../domain/orchestrator/medications.js';
import { failing, processRefill, refill } from '../../replay/cases/process-refill.js';
import { useRuns } from '../runs.js';
import { outage, refusal } from './pipeline-activities.js';

const { run, testCases } = useRuns('processRefill');

const elsewhere = { line1: '2 Oak St', city: 'Houston', state: 'TX', zip: '77002' };

describe('a refill', () => {
  testCases(processRefill);
  testCases({
    directions: refill(
      {
        behavior: 'goes out with the directions and to the address of its schedule',
        inputs: {
          fetchPatient: [{ emrPatientId: 'patient-1', shipTo: elsewhere }],
          submitToPharmacy: [{ dosage: 'half as much', config: { quantity: '1', daysSupply: 60 } }],
        },
      },
      {
        claimTask: async () => ({
          config: { ...builtInMedication('semaglutide')!, quantity: '1', daysSupply: 60 },
          dosage: 'half as much',
          shipTo: elsewhere,
        }),
      },
    ),
    moved: refill(
      {
        behavior: 'that was moved after the check is not sent',
        failure: { type: 'NotDue' },
        calls: ['claimTask'],
      },
      { claimTask: refusal('The refill was moved, skipped or paused', 'NotDue') },
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
    'not configured': failing('medication_config', 'unknown_medication', {
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
    'EMR down': failing('patient_details', 'emr_unavailable', { fetchPatient: outage }),
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
    expect(inputs('recordOutcome')).toMatchObject([
      { failedApproval: { reason: 'pharmacy_submission' }, code: 'order_rejected' },
    ]);
  });
});

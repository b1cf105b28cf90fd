import type { PipelineResult } from '../../../domain/orchestrator/pipeline.js';
import type { processRefill as workflow } from '../../../workflows/orchestrator/process-refill.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected, CheckedCase } from '../cases.js';

/** Sends the second refill of a schedule. */
export function refill(
  expect: Expected,
  replaced: Partial<PipelineActivities> = {},
): CheckedCase<Parameters<typeof workflow>> {
  const due = { scheduleId: 'schedule', n: 2, medication: 'semaglutide', emrPatientId: 'patient-1' };
  return {
    args: [due],
    activities: goodActivities(replaced),
    expect,
  };
}

export const failing = (failedStep: string, code: string, replaced: Partial<PipelineActivities>) =>
  refill(
    {
      behavior: `failing at ${failedStep} it is red, and nothing is charged`,
      failure: { type: 'StepFailed', details: [{ success: false, failedStep }, code] },
      times: { chargeSavedCard: 0 },
    },
    replaced,
  );

const recorded: PipelineResult = {
  success: true,
  completedSteps: [],
  warnings: [],
  medication: 'Semaglutide 5mg/mL',
  patientName: 'Ada Test',
  state: 'NY',
};

export const processRefill: CasesOf<typeof workflow> = {
  sent: refill({
    behavior: 'it runs as the task of its schedule, and all it does is under its own number',
    result: { success: true },
    inputs: {
      claimTask: [
        { kind: 'refill', reference: 'refill-schedule-2', taskId: 'refill-schedule', detailsHash: '' },
      ],
      submitToPharmacy: [{ sourceOrderId: 'refill-schedule-2' }],
      chargeSavedCard: [{ taskId: 'refill-schedule-2' }],
      shipOrder: [{ shipment: { taskId: 'refill-schedule-2' } }],
      // Its schedule moves on in the record of its success.
      recordOutcome: [{ result: { success: true }, refill: { scheduleId: 'schedule', n: 2 } }],
    },
  }),
  failed: failing('pharmacy_submission', 'order_rejected', {
    submitToPharmacy: refusal('pharmacy_c rejected the order'),
  }),
  'recorded-answer': refill(
    {
      behavior: 'one that was sent before gives the recorded result, and nothing is done',
      result: recorded,
      calls: ['claimTask'],
    },
    { claimTask: async () => ({ recorded }) },
  ),
  running: { ...refill({ behavior: 'it is ordered' }), openAt: 'submitToPharmacy' },
};

import type { processRefill as workflow } from '../../../workflows/orchestrator/process-refill.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const refill = (replaced: Partial<PipelineActivities> = {}) => ({
  args: [
    { scheduleId: 'schedule', n: 2, medication: 'semaglutide', emrPatientId: 'patient-1' },
  ] as Parameters<typeof workflow>,
  activities: goodActivities(replaced).activities,
});

export const processRefill: CasesOf<typeof workflow> = {
  sent: refill(),
  failed: refill({ submitToPharmacy: refusal('pharmacy_c rejected the order') }),
  'recorded-answer': refill({
    claimTask: async () => ({
      recorded: {
        success: true,
        completedSteps: [],
        warnings: [],
        medication: 'Semaglutide 5mg/mL',
        patientName: 'Ada Test',
        state: 'NY',
      },
    }),
  }),
  running: { ...refill(), openAt: 'submitToPharmacy' },
};

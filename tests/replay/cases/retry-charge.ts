import type { retryCharge as workflow } from '../../../workflows/orchestrator/retry-charge.js';
import {
  goodActivities,
  outage,
  type PipelineActivities,
} from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

const retry = (replaced: Partial<PipelineActivities> = {}) => ({
  args: [{ taskId: 'task', emrPatientId: 'patient-1', priceCents: 29_900 }] as Parameters<typeof workflow>,
  activities: goodActivities(replaced).activities,
});

export const retryCharge: CasesOf<typeof workflow> = {
  charged: retry(),
  declined: retry({
    chargeCard: async () => ({ status: 'failed', paymentIntentId: 'pi_1', reason: 'card_declined' }),
  }),
  'nothing-due': retry({ openCharge: async () => ({ kind: 'nothing' }) }),
  unanswered: retry({ chargeCard: outage }),
  running: { ...retry(), openAt: 'chargeCard' },
};

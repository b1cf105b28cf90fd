import type { DueRefill, RefillCheckActivities } from '../../../activities/orchestrator/refill-checks.js';
import type { refillCheck as workflow } from '../../../workflows/refill-check.js';
import { goodActivities, type PipelineActivities, refusal } from '../../workflows/pipeline-activities.js';
import type { CasesOf } from '../cases.js';

/** A check of `total` schedules of which the first page finds these due; the rest is skipped. */
function check(total: number, due: string[], replaced: Partial<PipelineActivities> = {}) {
  const page = due.map((scheduleId, position): DueRefill => ({
    position,
    scheduleId,
    n: 1,
    emrPatientId: 'patient-1',
    medication: 'semaglutide',
  }));
  const activities: RefillCheckActivities = {
    listDueSchedules: async () => total,
    judgePage: async ({ after }) => (after === 0 ? page : []),
    recordPage: async () => undefined,
  };
  return { args: [] as [], activities: { ...goodActivities(replaced).activities, ...activities } };
}

export const refillCheck: CasesOf<typeof workflow> = {
  nothing: check(0, []),
  sent: check(2, ['sent-1']),
  // A refill that is under way in another check already.
  'already-running': check(1, ['twice', 'twice']),
  failed: check(1, ['failed'], { submitToPharmacy: refusal('pharmacy_c rejected the order') }),
  'continued-as-new': check(501, []),
  running: { ...check(30, ['running']), openAt: 'submitToPharmacy' },
};

import type { DueRefill, RefillCheckActivities } from '../../../activities/orchestrator/refill-checks.js';
import type { refillCheck as workflow } from '../../../workflows/orchestrator/refill-check.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, ownRun } from '../cases.js';

/**
 * A check of `total` schedules of which the first page finds these due; the rest is skipped.
 * @param meanwhile happens when a page is judged
 */
function check(
  total: number,
  due: string[],
  replaced: Partial<PipelineActivities> = {},
  meanwhile: () => Promise<unknown> = async () => undefined,
) {
  const page = due.map((scheduleId, position): DueRefill => ({
    position,
    scheduleId,
    n: 1,
    emrPatientId: 'patient-1',
    medication: 'semaglutide',
  }));
  const activities: RefillCheckActivities = {
    listDueSchedules: async () => total,
    judgePage: async ({ after }) => {
      await meanwhile();
      return after === 0 ? page : [];
    },
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
  cancelled: check(30, ['carried-through'], {}, () => ownRun().cancel()),
  running: { ...check(30, ['running']), openAt: 'submitToPharmacy' },
};

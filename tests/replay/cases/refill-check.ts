import type { DueRefill, RefillCheckActivities } from '../../../activities/orchestrator/refill-checks.js';
import type { refillCheck as workflow } from '../../../workflows/orchestrator/refill-check.js';
import {
  goodActivities,
  type PipelineActivities,
  refusal,
} from '../../workflows/orchestrator/pipeline-activities.js';
import { type CasesOf, type Expected, ownRun } from '../cases.js';

/**
 * A check of `total` schedules of which the first page finds these due; the rest is skipped.
 * @param meanwhile happens when a page is judged
 */
function check(
  expect: Expected,
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
    announceRefills: async () => false,
    recordPage: async () => undefined,
  };
  return { expect, args: [] as [], activities: { ...goodActivities(replaced), ...activities } };
}

const outcomes = (...of: object[]) => ({ recordPage: [{ outcomes: of }] });
const processed = { position: 0, processed: true, reason: null };

export const refillCheck: CasesOf<typeof workflow> = {
  nothing: check(
    {
      behavior: 'a day without refills has nothing to do',
      result: { total: 0 },
      calls: ['listDueSchedules', 'announceRefills'],
    },
    0,
    [],
  ),
  sent: check(
    {
      behavior: 'a refill that is due is run, and what became of it recorded',
      result: { total: 2 },
      inputs: outcomes(processed),
    },
    2,
    ['sent-1'],
  ),
  'already-running': check(
    {
      behavior: 'a refill that is under way already is left alone',
      inputs: outcomes(processed, { processed: false, reason: 'already_running' }),
    },
    1,
    ['twice', 'twice'],
  ),
  failed: check(
    {
      behavior: 'the step at which a refill failed is named',
      inputs: outcomes({ processed: false, reason: 'pharmacy_submission' }),
    },
    1,
    ['failed'],
    { submitToPharmacy: refusal('pharmacy_c rejected the order') },
  ),
  'continued-as-new': check(
    {
      behavior: 'a large day continues as a new run, and is listed once',
      result: { total: 501 },
      times: { listDueSchedules: 1, judgePage: 26 },
    },
    501,
    [],
  ),
  cancelled: check(
    {
      behavior: 'the page under way is carried through and recorded, and no other begun',
      failure: { name: 'CancelledFailure' },
      times: { judgePage: 1 },
      inputs: outcomes(processed),
    },
    30,
    ['carried-through'],
    {},
    () => ownRun().cancel(),
  ),
  running: { ...check({ behavior: 'a refill is ordered' }, 30, ['running']), openAt: 'submitToPharmacy' },
};

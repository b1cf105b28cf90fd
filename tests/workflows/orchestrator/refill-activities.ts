import { randomUUID } from 'node:crypto';
import type { DueRefill, RefillCheckActivities } from '../../../activities/orchestrator/refill-checks.js';
import type { CheckOutcome } from '../../../db/orchestrator/refill-checks.js';
import { goodActivities, type PipelineActivities } from './pipeline-activities.js';

/** A refill that is due, as a page of a check gives it. */
const dueRefill = (position: number, change: Partial<DueRefill> = {}): DueRefill => ({
  position,
  scheduleId: `schedule-${position}`,
  n: 1,
  emrPatientId: 'p1',
  medication: 'semaglutide',
  ...change,
});

/**
 * Activities of a check over `due`, whose positions may leave gaps: those were skipped when their page was checked.
 * @param total how many schedules were listed
 */
export function checkActivities(
  due: readonly DueRefill[],
  replaced: { total?: number } & Partial<PipelineActivities & RefillCheckActivities> = {},
) {
  const {
    total = due.length,
    listDueSchedules = async () => total,
    judgePage = async ({ after, size }: { after: number; size: number }) =>
      due.filter(({ position }) => position > after && position <= after + size),
    recordPage = async () => undefined,
    announceRefills = async () => false,
    ...pipeline
  } = replaced;
  const outcomes: CheckOutcome[] = [];
  const pages: number[] = [];
  const checking: RefillCheckActivities = {
    listDueSchedules,
    announceRefills,
    judgePage: (page) => {
      pages.push(page.after);
      return judgePage(page);
    },
    recordPage: async (page) => {
      await recordPage(page);
      outcomes.push(...page.outcomes);
    },
  };
  return { args: [] as [], activities: { ...goodActivities(pipeline), ...checking }, outcomes, pages };
}

/** Refills of schedules that no other test has. */
export const dueRefills = (count: number) => {
  const run = randomUUID();
  return Array.from({ length: count }, (_, index) =>
    dueRefill(index + 1, { scheduleId: `${run}-${index + 1}` }),
  );
};
export const processed = (position: number) => ({ position, processed: true, reason: null });

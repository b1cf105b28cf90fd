import type { FollowedPlan, PlanActivities } from '../../../activities/orchestrator/plans.js';
import type { followPlan as workflow } from '../../../workflows/orchestrator/follow-plan.js';
import { type CasesOf, type Expected, ownRun } from '../cases.js';

const planId = '00000000-0000-7000-8000-000000000128';
const followed = { planId, fill: 2, phase: 1 };
const plan: FollowedPlan = {
  state: 'active',
  fill: 2,
  phase: 1,
  phases: 2,
  fillsSent: 1,
  totalFills: 4,
  nextFillDate: '2027-03-20',
  waiting: [],
};
const waiting: FollowedPlan = {
  ...plan,
  state: 'waiting',
  waiting: [
    { what: 'check_in', because: 'fill', fill: 2, since: '2027-03-10T09:00:00.000Z', dueAt: '2027-03-20' },
    { what: 'decision', because: 'gap', fill: 2, since: '2027-03-10T09:00:00.000Z', dueAt: '2027-03-20' },
  ],
};
const decides: FollowedPlan = { ...waiting, waiting: waiting.waiting.slice(1) };
const renews: FollowedPlan = {
  ...waiting,
  state: 'paused',
  waiting: [{ ...waiting.waiting[0]!, what: 'renewal', because: 'renewal' }],
};

/** A plan that changes with each look. The last state ends the run. */
function following(expect: Expected, ...states: (FollowedPlan | null)[]) {
  let looks = 0;
  const activities: PlanActivities = {
    readFollowedPlan: async () => {
      const seen = states[Math.min(looks, states.length - 1)] ?? null;
      looks += 1;
      if (looks < states.length) await ownRun().signal('recheck');
      return seen;
    },
  };
  return { args: [followed] as [typeof followed], activities, expect };
}

export const followPlan: CasesOf<typeof workflow> = {
  none: following({ behavior: 'one that is gone is followed no further', details: ['Done'] }, null),
  filled: following(
    {
      behavior: 'its run shows what it waits for, and ends with its fill',
      details: ['**Done** with fill 2 of phase 1'],
    },
    plan,
    waiting,
    decides,
    plan,
    { ...plan, fill: 3, fillsSent: 2 },
  ),
  moved: following(
    { behavior: 'a decision for another phase ends the run too', details: ['Done'] },
    decides,
    { ...plan, phase: 2 },
  ),
  completed: following({ behavior: 'the last fill completes it', details: ['**Completed.**'] }, plan, {
    ...plan,
    state: 'completed',
    fill: 3,
    fillsSent: 2,
  }),
  stopped: following(
    { behavior: 'a paused plan that waits for a renewal may be stopped', details: ['**Stopped.**'] },
    renews,
    { ...plan, state: 'stopped' },
  ),
  running: { ...following({ behavior: 'it is shown' }, waiting, null), openAt: 'readFollowedPlan' },
};

import {
  CancellationScope,
  condition,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { FollowedPlan, PlanActivities } from '../../activities/orchestrator/plans.js';
import { rechecks } from '../handlers.js';
import { ownRecords } from '../proxies.js';
import { rxWaiting } from '../search-attributes.js';

const records = ownRecords<PlanActivities>();

/** A plan before one fill. */
interface Followed {
  planId: string;
  fill: number;
  phase: number;
}

/**
 * Shows a plan before its next fill, and waits (D128). The row is the guard: the run changes nothing. It ends with the
 * fill, and with the plan; the next fill has a run of its own.
 */
export async function followPlan(plan: Followed): Promise<void> {
  await CancellationScope.nonCancellable(() => follow(plan));
}

async function follow(followed: Followed): Promise<void> {
  const recheck = rechecks();
  // A continued run has the attribute of the one before.
  let waitsFor: string | null = workflowInfo().continuedFromExecutionRunId === undefined ? null : '';
  const showWaiting = (what: string | null) => {
    if (what !== waitsFor) upsertSearchAttributes([{ key: rxWaiting, value: what }]);
    waitsFor = what;
  };
  for (;;) {
    recheck.clear();
    const plan = await records('Read the plan').readFollowedPlan({ planId: followed.planId });
    if (
      plan?.fill !== followed.fill ||
      plan.phase !== followed.phase ||
      plan.state === 'completed' ||
      plan.state === 'stopped'
    ) {
      // No await between this check and the end of the run.
      if (recheck.isDue()) continue;
      showWaiting(null);
      setCurrentDetails(endOf(plan, followed));
      return;
    }
    showWaiting(plan.waiting[0]?.what ?? null);
    setCurrentDetails(textOf(followed.planId, plan));
    await condition(recheck.isDue);
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof followPlan>(followed);
  }
}

function endOf(plan: FollowedPlan | null, { fill, phase }: Followed): string {
  if (plan?.state === 'completed') return '**Completed.** All fills were sent.';
  if (plan?.state === 'stopped') return '**Stopped.** No further fill is sent.';
  return `**Done** with fill ${fill} of phase ${phase}; the next one has a run of its own.`;
}

function textOf(planId: string, plan: FollowedPlan): string {
  const { fill, phase, phases, fillsSent, totalFills, nextFillDate, state, waiting } = plan;
  const position = `Phase ${phase} of ${phases}, fill ${fill}; ${fillsSent} of ${totalFills} fills sent.`;
  const due = `The next fill is due on ${nextFillDate}.`;
  const lines = waiting.map(
    ({ what, because, since }) =>
      `**Waiting for a ${titles[what]}** (\`${because}\`) since ${since}. ${givers[what](planId)}`,
  );
  const head =
    state === 'paused' ? ['**Paused.** Nothing is sent until somebody resumes it.', ...lines] : lines;
  return [...(head.length > 0 ? head : ['**Active.** Nothing is missing.']), `${due} ${position}`].join(
    '\n\n',
  );
}

const titles = { check_in: 'check-in', decision: 'decision', renewal: 'renewal' } as const;
const givers = {
  check_in: (id: string) => `The patient gives it: \`POST /orchestrator/plans/${id}/check-ins\`.`,
  decision: (id: string) =>
    `The prescriber gives it: \`POST /orchestrator/plans/${id}/decisions\`, or the work item \`decision_needed\`.`,
  renewal: (id: string) =>
    `The prescriber gives it: \`POST /orchestrator/plans/${id}/renew\`, or the work item \`decision_needed\`.`,
} as const;

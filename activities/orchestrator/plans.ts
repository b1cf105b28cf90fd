import type { Sql } from '../../db/client.js';
import { findPlan } from '../../db/orchestrator/plans.js';
import { fillsSent, type PlanPosition, type PlanState, totalFills } from '../../domain/orchestrator/plans.js';

/** The fields of a plan that its run shows (D128). */
export interface FollowedPlan {
  state: PlanState;
  /** Number of the next fill over all, and its phase. */
  fill: number;
  phase: number;
  phases: number;
  fillsSent: number;
  totalFills: number;
  nextFillDate: string;
  waiting: PlanPosition['waiting'];
}

export const createPlanActivities = ({ sql }: { sql: Sql }) => ({
  /** Reads where a plan stands; null without one. Safe to retry: it only reads. */
  async readFollowedPlan({ planId }: { planId: string }): Promise<FollowedPlan | null> {
    const plan = await findPlan(sql, planId);
    if (!plan) return null;
    const { state, fill, phase, phases, nextFillDate, waiting } = plan;
    const counts = {
      phases: phases.length,
      fillsSent: fillsSent(phases),
      totalFills: totalFills(phases),
    };
    return { state, fill, phase, ...counts, nextFillDate, waiting };
  },
});

export type PlanActivities = ReturnType<typeof createPlanActivities>;

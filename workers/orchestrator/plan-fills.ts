import { orchestratorToday } from '../../db/orchestrator/clock.js';
import { listUnpaidSchedules } from '../../db/orchestrator/refill-checks.js';
import { findPlan } from '../../db/orchestrator/plans.js';
import { findSchedule } from '../../db/orchestrator/refill-schedules.js';
import { gateOf } from '../../domain/orchestrator/plans.js';
import { judgeRefill, nextRefill } from '../../domain/orchestrator/refills.js';
import { sendRefillAgain } from '../../starts/orchestrator.js';
import { followPlan, recheckPlan } from '../../starts/plans.js';
import type { WorkerContext } from '../context.js';

/** Starts the next fill of a plan if it is due and its gate is open. The claim of its run judges again (D126). */
export async function sendDueFill(context: WorkerContext, planId: string): Promise<void> {
  const { sql, temporal, config } = context;
  const [plan, schedule] = [await findPlan(sql, planId), await findSchedule(sql, planId)];
  if (!plan || !schedule) return;
  const today = await orchestratorToday(context)();
  if (plan.waiting.length > 0 || gateOf(plan, today).length > 0) return;
  const holds = config.service('orchestrator').REFILLS_WHEN_UNPAID === 'hold';
  const isHeld = holds && (await listUnpaidSchedules(sql, [planId])).has(planId);
  if (!judgeRefill(schedule, today, isHeld).due) return;
  await sendRefillAgain(temporal, { ...nextRefill(schedule), dueOn: today }, 0);
}

/** Shows a plan in its run (D128): starts the one of the next fill, or tells it that the plan has changed or ended. */
export async function showPlan({ sql, temporal }: WorkerContext, planId: string): Promise<void> {
  const plan = await findPlan(sql, planId);
  if (!plan) return;
  if (plan.status === 'active' || plan.status === 'paused') await followPlan(temporal, plan);
  else await recheckPlan(temporal, planId);
}

import { orchestratorToday } from '../../db/orchestrator/clock.js';
import { listUnpaidSchedules } from '../../db/orchestrator/refill-checks.js';
import { findPlan } from '../../db/orchestrator/plans.js';
import { findSchedule } from '../../db/orchestrator/refill-schedules.js';
import { gateOf } from '../../domain/orchestrator/plans.js';
import { judgeRefill, nextRefill } from '../../domain/orchestrator/refills.js';
import { sendRefillAgain } from '../../starts/orchestrator.js';
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

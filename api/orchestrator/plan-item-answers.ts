import { z } from 'zod';
import { orchestratorDay } from '../../db/orchestrator/clock.js';
import { stopPlan } from '../../db/orchestrator/plan-changes.js';
import { remindOfCheckIn } from '../../db/orchestrator/plan-telling.js';
import { findPlan, lockPlan } from '../../db/orchestrator/plans.js';
import type { ServiceContext } from '../context.js';
import { found } from '../http-errors.js';
import { type AnswerHandler, type AnswerHandlers, dataOf } from '../plugins/work-items.js';
import { decidePlan, renewPlan } from './plan-answer-routes.js';
import { newDecision, renewal } from './plan-contract.js';
import { operate } from './refill-routes.js';

const deciding = newDecision.pick({ phase: true });
const renewing = renewal.pick({ prescribedUntil: true });

/**
 * Executes people's answers to the work items of plans (D127). The note is the reason; `by` is the person's e-mail
 * address.
 */
export function planAnswers(
  context: ServiceContext,
): Pick<Required<AnswerHandlers>, 'check_in_missing' | 'decision_needed'> {
  const { sql, config } = context;
  const day = orchestratorDay(context);

  const stop: AnswerHandler = async ({ item: { refersTo }, by, note }) => {
    const now = await day();
    return sql.begin(async (sql) => {
      const plan = found(await lockPlan(sql, refersTo['planId'] ?? ''), 'Plan');
      if (plan.status === 'completed' || plan.status === 'cancelled') return `Plan is ${plan.state}`;
      await stopPlan(sql, plan, { ...now, reason: note ?? 'Stopped at the worklist', requestedBy: by });
      return null;
    });
  };

  return {
    check_in_missing: {
      remind: async ({ item: { fact, refersTo } }) => {
        if (config.service('orchestrator').PLAN_NOTICES === 'off') return 'Notices of plans are turned off';
        const now = await day();
        return sql.begin(async (sql) => {
          const plan = found(await lockPlan(sql, refersTo['planId'] ?? ''), 'Plan');
          return remindOfCheckIn(sql, plan, { ...now, fact });
        });
      },
      pause: async ({ item: { refersTo }, by }) => {
        const planId = refersTo['planId'] ?? '';
        // A repeat of this answer finds the plan paused.
        if ((await findPlan(sql, planId))?.state !== 'paused') await operate(context, planId, 'pause', by);
        return null;
      },
      stop,
    },
    decision_needed: {
      decide: async (given) => {
        const { phase } = dataOf(given, deciding);
        const { item, by, note: reason } = given;
        await decidePlan(context, item.refersTo['planId'] ?? '', { phase, by, reason, fill: fillOf(item) });
        return null;
      },
      renew: async (given) => {
        const { prescribedUntil } = dataOf(given, renewing);
        await renewPlan(context, given.item.refersTo['planId'] ?? '', {
          prescribedUntil,
          fill: fillOf(given.item),
        });
        return null;
      },
      stop,
    },
  };
}

/** The fill that the item is about. */
const fillOf = ({ fact }: { fact: string }): number => z.coerce.number().parse(fact.split(':')[1]);

import { z } from 'zod';
import { orchestratorDay } from '../../db/orchestrator/clock.js';
import { addCheckIn, addDecision, findDecision, settlePlan } from '../../db/orchestrator/plan-changes.js';
import { findPlan, lockPlan, type Plan } from '../../db/orchestrator/plans.js';
import type { Queryable } from '../../db/client.js';
import { addDays } from '../../domain/calendar.js';
import { checkInDaysAhead } from '../../domain/orchestrator/plans.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, found, idOf, InvalidField, issueErrors } from '../http-errors.js';
import { answeredOnce, answerOnce } from '../plugins/answer-once.js';
import * as contract from './plan-contract.js';
import { memberText, presentedPlan } from './plans.js';

const common = { tags: ['Plans'], security: [{ signature: [] }] };
const params = z.object({ id: z.string() });
const errors = issueErrors(400, 401, 403, 404, 413, 415, 429, 500);
const maxAnswersBytes = 65_536;

/** Check-ins, decisions and renewals: what the gates of a plan ask for (D126). */
export function planAnswerRoutes(signed: App, context: ServiceContext): void {
  const { sql } = context;
  const thisDay = orchestratorDay(context);

  signed.post(
    '/orchestrator/plans/:id/check-ins',
    {
      config: { access: { action: 'plan.check_in', record: 'id' } },
      schema: {
        ...common,
        summary: 'Report how a patient is',
        description: `At most 14 days before the next fill, or once it was asked for. A later check-in replaces an earlier one for the same fill. ${answeredOnce}`,
        params,
        body: contract.newCheckIn,
        response: { 201: contract.checkedIn, ...errors, 409: contract.planConflict },
      },
    },
    async ({ params: { id }, body, rawBody, whose }, reply) => {
      const answers = memberText(rawBody, 'answers');
      if (Buffer.byteLength(answers) > maxAnswersBytes)
        throw new InvalidField('answers', 'Must be at most 64 KiB');
      const planId = idOf(id, 'Plan');
      const day = await thisDay();
      return answerOnce({ sql, service: 'orchestrator', status: 201 }, reply, async (sql) => {
        const plan = await requireOpen(sql, planId, whose.client);
        requireFill(plan, body.fill);
        const from = addDays(plan.nextFillDate, -checkInDaysAhead);
        if (day.today < from && plan.askedFill !== plan.fill) throw conflict('Too early', { from });
        const { flagged, daysOnHand = null } = body;
        const checkIn = await addCheckIn(sql, plan, { answers, flagged, daysOnHand }, day);
        return { checkIn, plan: presentedPlan(found(await findPlan(sql, planId), 'Plan')) };
      });
    },
  );

  signed.post(
    '/orchestrator/plans/:id/decisions',
    {
      config: { access: { action: 'plan.decide', record: 'id' } },
      schema: {
        ...common,
        summary: 'Decide which phase the next fill is of',
        description: 'Only while a decision is waited for. The same decision again is 200.',
        params,
        body: contract.newDecision,
        response: { 200: contract.onePlan, ...errors, 409: contract.planConflict },
      },
    },
    async ({ params: { id }, body, whose: { client } }) => ({
      plan: await decidePlan(context, id, { ...body, client }),
    }),
  );

  signed.post(
    '/orchestrator/plans/:id/renew',
    {
      config: { access: { action: 'plan.renew', record: 'id' } },
      schema: {
        ...common,
        summary: 'Prescribe a plan for longer',
        params,
        body: contract.renewal,
        response: { 200: contract.onePlan, ...errors, 409: contract.planConflict },
      },
    },
    async ({ params: { id }, body, whose: { client } }) => ({
      plan: await renewPlan(context, id, { ...body, client }),
    }),
  );
}

/** Stores a decision, once. @throws HttpError 404 or 409, InvalidField */
export async function decidePlan(
  context: ServiceContext,
  id: string,
  {
    phase,
    by,
    reason = null,
    fill,
    client,
  }: Omit<z.infer<typeof contract.newDecision>, 'reason'> & {
    reason?: string | null | undefined;
    client?: string;
  },
) {
  const planId = idOf(id, 'Plan');
  const day = await orchestratorDay(context)();
  return context.sql.begin(async (sql) => {
    const plan = await lockOwn(sql, planId, client);
    if (phase > plan.phases.length) throw new InvalidField('phase', 'Must be a phase of the plan');
    const isWaiting = plan.waiting.some(({ what }) => what === 'decision');
    if (!isWaiting || (fill !== undefined && fill !== plan.fill)) {
      const decided = await findDecision(sql, planId, fill ?? plan.decidedFill ?? 0);
      const isSame = decided?.phase === phase && decided.by === by && decided.reason === reason;
      if (isSame && (fill === undefined || fill === plan.decidedFill)) return presentedPlan(plan);
    }
    requireOpenState(plan);
    requireFill(plan, fill);
    if (!isWaiting) throw conflict('Nothing to decide');
    await addDecision(sql, plan, { phase, by, reason }, day);
    return presentedPlan(found(await findPlan(sql, planId), 'Plan'));
  });
}

/** Prescribes a plan until another day. @throws HttpError 404 or 409, InvalidField */
export async function renewPlan(
  context: ServiceContext,
  id: string,
  {
    prescribedUntil,
    fill,
    client,
  }: Pick<z.infer<typeof contract.renewal>, 'prescribedUntil' | 'fill'> & {
    client?: string;
  },
) {
  const planId = idOf(id, 'Plan');
  const day = await orchestratorDay(context)();
  return context.sql.begin(async (sql) => {
    const plan = await requireOpen(sql, planId, client);
    requireFill(plan, fill);
    if (prescribedUntil < plan.nextFillDate)
      throw new InvalidField('prescribedUntil', 'Must not be before the next fill');
    await settlePlan(sql, plan, { ...plan, prescribedUntil }, day);
    return presentedPlan(found(await findPlan(sql, planId), 'Plan'));
  });
}

/** @param client undefined for a person at the desk. @throws HttpError 404, also for a plan of another client (D140) */
async function lockOwn(sql: Queryable, planId: string, client: string | undefined): Promise<Plan> {
  const plan = await lockPlan(sql, planId);
  return found(client === undefined || plan?.client === client ? plan : undefined, 'Plan');
}

async function requireOpen(sql: Queryable, planId: string, client: string | undefined): Promise<Plan> {
  const plan = await lockOwn(sql, planId, client);
  requireOpenState(plan);
  return plan;
}

function requireOpenState({ state }: Plan): void {
  if (state === 'completed' || state === 'stopped') throw conflict(`Plan is ${state}`);
}

function requireFill({ fill: asked }: Plan, fill: number | undefined): void {
  if (fill !== undefined && fill !== asked) throw conflict('Another fill is asked for', { fill: asked });
}

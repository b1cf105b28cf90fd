import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { orchestratorDay, orchestratorToday } from '../../db/orchestrator/clock.js';
import { findActiveMedication } from '../../db/orchestrator/medication-configs.js';
import { settlePlan, stopPlan } from '../../db/orchestrator/plan-changes.js';
import {
  findCheckIn,
  findOpenPlan,
  findPlan,
  findPlanByRef,
  insertPlan,
  listPlans,
  lockPlan,
  type Plan,
  readPlanHistory,
} from '../../db/orchestrator/plans.js';
import { lockRefillsOf } from '../../db/orchestrator/refill-schedules.js';
import { addDays } from '../../domain/calendar.js';
import { beginPlan, prescribedDays } from '../../domain/orchestrator/plans.js';
import { jsonHash } from '../../platform/crypto/ids.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { conflict, found, idOf, InvalidField, issueErrors } from '../http-errors.js';
import { planAnswerRoutes } from './plan-answer-routes.js';
import * as contract from './plan-contract.js';
import { presentedPlan } from './plans.js';
import { departureReader, operate } from './refill-routes.js';
import { shownTo } from './whose.js';

const common = { tags: ['Plans'], security: [{ signature: [] }] };
const params = z.object({ id: z.string() });
const what = 'Plan';

/** Courses of treatment: refill schedules with phases and gates (D125). */
export function planRoutes(signed: App, context: ServiceContext): void {
  const { sql } = context;
  const today = orchestratorToday(context);
  const departureNow = departureReader(context);

  signed.post(
    '/orchestrator/plans',
    {
      config: { access: { action: 'plan.create' } },
      schema: {
        ...common,
        summary: 'Begin a plan',
        description:
          'The same `planRef` and body again returns the same plan with `Idempotent-Replayed: true`. If the plan starts today, the service starts its first fill now and does not wait for it.',
        body: contract.newPlan,
        response: {
          200: contract.onePlan.describe('The plan exists'),
          201: contract.onePlan,
          ...issueErrors(400, 401, 403, 413, 415, 429, 500),
          409: contract.planConflict,
        },
      },
    },
    async ({ accessed, apiKey, body, whose: { client } }, reply) => {
      const bodyHash = jsonHash(body);
      const own = { client, planRef: body.planRef };
      const known = await replayOf(own, bodyHash);
      if (known) return replay(reply, known);
      const position = await positionOf(body);
      const left = await departureNow(body.emrPatientId);
      // Before the transaction, which has a connection of its own.
      const day = await orchestratorDay(context)();
      const made = await sql.begin(async (sql) => {
        await lockRefillsOf(sql, body.emrPatientId);
        if (await findPlanByRef(sql, own)) return undefined;
        const open = await findOpenPlan(sql, { ...body, client });
        if (open) throw conflict('The patient has an open plan for this treatment', { planId: open.id });
        const { emrPatientId, treatment } = body;
        const stored = { ...own, bodyHash, emrPatientId, treatment, position, requestedBy: apiKey.id };
        const id = await insertPlan(sql, stored, left);
        const plan = found(await lockPlan(sql, id), what);
        await settlePlan(sql, plan, plan, day);
        return findPlan(sql, id);
      });
      if (!made) return replay(reply, found(await replayOf(own, bodyHash), what));
      accessed.records = [made.id];
      return reply.code(201).send({ plan: presentedPlan(made) });
    },
  );

  signed.get(
    '/orchestrator/plans',
    {
      config: { access: { action: 'plan.list' } },
      schema: {
        ...common,
        summary: 'List plans, newest first',
        querystring: contract.planQuery,
        response: { 200: contract.plans, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async (request) => {
      const { limit, cursor, ...query } = request.query;
      const filter = { ...query, client: request.whose.listed, before: decodeCursor(cursor, z.uuid()) };
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listPlans(sql, { ...filter, limit }),
        ({ id }) => id,
      );
      const plans = page.map((plan) => ({ ...presentedPlan(plan), ...shownTo(request, plan) }));
      return { plans, nextCursor };
    },
  );

  signed.get(
    '/orchestrator/plans/:id',
    {
      config: { access: { action: 'plan.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Read a plan with its check-ins and decisions',
        params,
        response: { 200: contract.planWithHistory, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { id }, whose }) => {
      const plan = await requirePlan(id, whose);
      return { plan: presentedPlan(plan), ...(await readPlanHistory(sql, plan.id)) };
    },
  );

  signed.get(
    '/orchestrator/plans/:id/check-ins/:checkInId',
    {
      config: { access: { action: 'plan.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Read a check-in with its answers',
        params: params.extend({ checkInId: z.string() }),
        response: { 200: contract.readCheckIn, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { id, checkInId }, whose }, reply) => {
      const plan = await requirePlan(id, whose);
      const { answers, ...checkIn } = found(
        await findCheckIn(sql, plan.id, idOf(checkInId, 'Check-in')),
        'Check-in',
      );
      // The text goes out as it came in.
      const head = JSON.stringify(checkIn).slice(0, -1);
      const body = `{"checkIn":${head},"answers":${answers ?? 'null'}}}`;
      return reply.type('application/json; charset=utf-8').send(body as never);
    },
  );

  for (const name of ['pause', 'resume'] as const)
    signed.post(
      `/orchestrator/plans/:id/${name}`,
      {
        config: { access: { action: `plan.${name}`, record: 'id' } },
        schema: {
          ...common,
          summary: name === 'pause' ? 'Pause a plan' : 'Resume a paused plan; its gate stays as it is',
          params,
          response: { 200: contract.onePlan, ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500) },
        },
      },
      async ({ apiKey, params: { id }, whose }) => {
        const { state, id: planId } = await requirePlan(id, whose);
        const isPossible = name === 'pause' ? state === 'active' || state === 'waiting' : state === 'paused';
        if (!isPossible) throw conflict(`Plan is ${state}`);
        await operate(context, planId, name, apiKey.id);
        return { plan: presentedPlan(await requirePlan(id, whose)) };
      },
    );

  signed.post(
    '/orchestrator/plans/:id/stop',
    {
      config: { access: { action: 'plan.stop', record: 'id' } },
      schema: {
        ...common,
        summary: 'End a plan',
        params,
        body: contract.stopRequest,
        response: { 200: contract.onePlan, ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500) },
      },
    },
    async ({ apiKey, params: { id }, body: { reason }, whose }) => {
      const day = await orchestratorDay(context)();
      const { id: planId } = await requirePlan(id, whose);
      await sql.begin(async (sql) => {
        const plan = found(await lockPlan(sql, planId), what);
        if (plan.state === 'completed' || plan.state === 'stopped') throw conflict(`Plan is ${plan.state}`);
        await stopPlan(sql, plan, { ...day, reason, requestedBy: apiKey.id });
      });
      return { plan: presentedPlan(await requirePlan(id, whose)) };
    },
  );

  planAnswerRoutes(signed, context);

  /** @throws HttpError 404, also for a plan of another client (D140) */
  const requirePlan = async (id: string, { client }: { client: string }) => {
    const plan = await findPlan(sql, idOf(id, what));
    return found(plan?.client === client ? plan : undefined, what);
  };

  /** The plan of a reference. @throws HttpError 409 if another body made it */
  async function replayOf(
    own: { client: string; planRef: string },
    bodyHash: string,
  ): Promise<Plan | undefined> {
    const known = await findPlanByRef(sql, own);
    if (!known) return undefined;
    if (known.bodyHash !== bodyHash)
      throw conflict('planRef already used with a different plan', { planId: known.id });
    return findPlan(sql, known.id);
  }

  const replay = (reply: FastifyReply, plan: Plan) =>
    reply
      .code(200)
      .header('idempotent-replayed', 'true')
      .send({ plan: presentedPlan(plan) }) as never;

  /** Where the plan begins. @throws InvalidField */
  async function positionOf(body: contract.NewPlanRequest) {
    const day = await today();
    const { startDate = day, running } = body;
    const { prescribedUntil = addDays(startDate, prescribedDays) } = body;
    if (startDate < day) throw new InvalidField('startDate', 'Must not be before today');
    if (prescribedUntil < startDate)
      throw new InvalidField('prescribedUntil', 'Must not be before startDate');
    const phases = [];
    for (const [index, phase] of body.phases.entries()) {
      const medication = await findActiveMedication(sql, phase.medication);
      if (!medication)
        throw new InvalidField(`phases.${index}.medication`, `Unknown medication: ${phase.medication}`);
      const { daysSupply = medication.daysSupply, dosage = null } = phase;
      phases.push({ ...phase, daysSupply, dosage });
    }
    if (running) {
      const fills = body.phases[running.phase - 1]?.fills;
      if (fills === undefined) throw new InvalidField('running.phase', 'Must be a phase of the plan');
      if (running.sent > fills)
        throw new InvalidField('running.sent', 'Must be at most the fills of the phase');
      if (running.lastFillDate > day)
        throw new InvalidField('running.lastFillDate', 'Must not be after today');
    }
    const position = beginPlan({ phases, startDate, prescribedUntil, running });
    if (!position) throw new InvalidField('running.sent', 'Must leave a fill of the plan');
    return position;
  }
}

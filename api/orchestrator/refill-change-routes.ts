import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { changeDirections } from '../../db/orchestrator/directions.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { judgeChangedPlan } from '../../db/orchestrator/plan-changes.js';
import {
  changeNextRefills,
  findSchedule,
  isRefillUnderWay,
  lockSchedule,
  type NextRefills,
  type RefillSchedule,
} from '../../db/orchestrator/refill-schedules.js';
import type { Queryable } from '../../db/client.js';
import { addDays } from '../../domain/calendar.js';
import { orderedMedication } from '../../domain/orchestrator/medications.js';
import { dateAfterSkip, earliestFillDate, movableDays } from '../../domain/orchestrator/refills.js';
import { noRouteText } from '../../domain/pharmacies.js';
import { ownServices } from '../../integrations/own-services.js';
import { createRouterClient } from '../../integrations/router/client.js';
import { orchestratorDay, orchestratorToday } from '../../db/orchestrator/clock.js';
import type { App, ServiceContext } from '../context.js';
import { conflict, found, HttpError, idOf, InvalidField, issueErrors, unavailable } from '../http-errors.js';
import { outboundAs } from '../outcomes.js';
import { answeredOnce, answerOnce } from '../plugins/answer-once.js';
import * as contract from './refill-contract.js';
import { changedByKey, keyedHeaders } from './keyed.js';
import { askedBy } from './on-behalf-of.js';
import * as changes from './refill-change-contract.js';
import { presentedSchedule } from './schedules.js';

const common = {
  tags: ['Refills'],
  security: [{ signature: [] }],
  description: `Only for an active or paused schedule of which no refill runs. ${answeredOnce}`,
};
const params = z.object({ id: z.string() });
const errors = issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500);
const answers = { 200: contract.schedule, ...errors };
const schedulePath = '/orchestrator/refill-schedules/:id';
const routeWithinMs = 5_000;

/** One refill at another time or place (D119), and other directions for all that follow (D145). */
export function refillChangeRoutes(signed: App, context: ServiceContext): void {
  const { sql, config } = context;
  const router = createRouterClient(ownServices(config.service('orchestrator')).router);
  const today = orchestratorToday(context);
  const thisDay = orchestratorDay(context);

  signed.post(
    `${schedulePath}/skip`,
    {
      config: { alsoFor: 'worklist', access: { action: 'refill.skip', record: 'id' } },
      schema: {
        ...common,
        summary: 'Skip the next refill of a schedule',
        params,
        headers: keyedHeaders,
        body: changes.skipRequest,
        response: answers,
      },
    },
    async ({ params: { id }, body }, reply) => {
      const day = await today();
      return change(reply, id, (schedule) => ({
        nextFillDate: dateAfterSkip(schedule, day),
        skip: { reason: body?.reason ?? null },
      }));
    },
  );

  signed.post(
    `${schedulePath}/move`,
    {
      config: {
        alsoFor: 'worklist',
        access: { action: 'refill.move', record: 'id' },
        errorCodes: ['conflict', 'too_soon'],
      },
      schema: {
        ...common,
        summary: 'Move the next refill of a schedule to another day',
        params,
        headers: keyedHeaders,
        body: changes.moveRequest,
        response: { ...answers, 409: changes.notMovable },
      },
    },
    async ({ params: { id }, body: { nextFillDate } }, reply) => {
      const day = await today();
      const latest = addDays(day, movableDays);
      if (nextFillDate < day || nextFillDate > latest)
        throw new InvalidField('nextFillDate', `Must be from today to ${latest}`);
      return change(reply, id, ({ lastFillDate, daysSupply }) => {
        const earliest = earliestFillDate(lastFillDate, daysSupply);
        if (nextFillDate < earliest) throw conflict('Too soon', { earliestFillDate: earliest }, 'too_soon');
        return { nextFillDate };
      });
    },
  );

  signed.post(
    `${schedulePath}/ship-to`,
    {
      config: {
        alsoFor: 'worklist',
        access: { action: 'refill.ship_to', record: 'id' },
        errorCodes: { 422: ['no_pharmacy_route'] },
      },
      schema: {
        ...common,
        summary: 'Send the next refills of a schedule to another address',
        params,
        headers: keyedHeaders,
        body: changes.shipToRequest,
        response: { ...answers, ...issueErrors(422, 503) },
      },
    },
    async ({ params: { id }, body: { shipTo, fills }, whose }, reply) => {
      if (shipTo) await requireRoute(await requireSchedule(id, whose), shipTo.state);
      return change(reply, id, () => ({
        shipTo: shipTo && { address: changes.addressOf(shipTo), fills },
      }));
    },
  );

  signed.patch(
    schedulePath,
    {
      config: { access: { action: 'refill.update', record: 'id' } },
      schema: {
        ...common,
        summary: 'Change the directions of the refills to come',
        params,
        body: changes.scheduleChange,
        response: answers,
      },
    },
    ({ params: { id }, body }, reply) =>
      change(reply, id, async (schedule, sql) => {
        if (Object.values(body).some((value) => value !== undefined))
          await changeDirections(sql, schedule, body);
        return {};
      }),
  );

  /** Changes a schedule once per request or Idempotency-Key, under its lock. @throws HttpError 404 or 409 */
  async function change(
    reply: FastifyReply,
    id: string,
    decide: (schedule: RefillSchedule, sql: Queryable) => NextRefills | Promise<NextRefills>,
  ) {
    const scheduleId = idOf(id, 'Refill schedule');
    const day = await thisDay();
    const { request } = reply;
    const changed = async (sql: Queryable) => {
      const locked = await lockSchedule(sql, scheduleId);
      const isTheirs = locked?.client === request.whose.client;
      const schedule = found(isTheirs ? locked : undefined, 'Refill schedule');
      const { status } = schedule;
      if (status !== 'active' && status !== 'paused') throw conflict(`Schedule is ${status}`);
      if (await isRefillUnderWay(sql, schedule)) throw conflict('A refill is under way');
      const next = await decide(schedule, sql);
      await changeNextRefills(sql, scheduleId, next, askedBy(request));
      if (next.nextFillDate !== undefined) await judgeChangedPlan(sql, scheduleId, day);
      return show(sql);
    };
    const show = async (sql: Queryable) => ({
      schedule: await presentedSchedule(sql, found(await findSchedule(sql, scheduleId), 'Refill schedule')),
    });
    return (
      (await changedByKey(sql, reply, { change: changed, show })) ??
      answerOnce({ sql, service: 'orchestrator', status: 200 }, reply, changed)
    );
  }

  const requireSchedule = async (id: string, { client }: { client: string }) => {
    const schedule = await findSchedule(sql, idOf(id, 'Refill schedule'));
    return found(schedule?.client === client ? schedule : undefined, 'Refill schedule');
  };

  /** @throws HttpError 422 for a state that no pharmacy serves, 503 if the router does not answer */
  async function requireRoute({ medication: key }: RefillSchedule, state: string): Promise<void> {
    const config = await findMedicationConfig(sql, key);
    const { name } = config ? orderedMedication(config) : { name: key };
    const { pharmacy } = await router
      .routeOf({ state, medication: name, key }, { timeoutMs: routeWithinMs })
      .catch(outboundAs(() => unavailable()));
    if (pharmacy === null) throw new HttpError(422, noRouteText(state), { code: 'no_pharmacy_route' });
  }
}

import { z } from 'zod';
import { nextFillDate, type ScheduleStatus } from '../../domain/orchestrator/refills.js';
import { type BusinessDay, orchestratorDay, orchestratorToday } from '../../db/orchestrator/clock.js';
import { findActiveMedication } from '../../db/orchestrator/medication-configs.js';
import { listResults } from '../../db/orchestrator/refill-checks.js';
import { changeStatus } from '../../db/orchestrator/schedule-status.js';
import {
  findSchedule,
  insertSchedule,
  listSchedules,
  type RefillSchedule,
} from '../../db/orchestrator/refill-schedules.js';
import type { Queryable } from '../../db/client.js';
import { departureOf } from '../../domain/orderable-patient.js';
import { type DepartureReason, departureReason } from '../../domain/orchestrator/departures.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { checkRefills as startCheck } from '../../starts/orchestrator.js';
import type { App, ServiceContext } from '../context.js';
import { answeredOnce, answerOnce } from '../plugins/answer-once.js';
import { defaultToEmptyBody } from '../plugins/default-body.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { endOf } from '../outcomes.js';
import {
  conflict,
  found,
  idOf,
  internal,
  InvalidField,
  issueErrors,
  httpError,
  HttpError,
} from '../http-errors.js';
import * as contract from './refill-contract.js';
import { changedByKey, keyedHeaders } from './keyed.js';
import { askedBy, onlyOnBehalfOf } from './on-behalf-of.js';
import { shownTo } from './whose.js';
import { presentedSchedule, presentedSchedules } from './schedules.js';

const common = { tags: ['Refills'], security: [{ signature: [] }] };
const params = z.object({ id: z.string() });
const emrTimeoutMs = 4_000;
/** Enough for a few thousand refills. The check continues if the request times out. */
const answerWithinMs = 10 * 60_000;

/** Operations on a schedule with their allowed statuses (D40). */
const operations = {
  pause: { from: ['active'], to: 'paused' },
  resume: { from: ['paused'], to: 'active' },
  cancel: { from: ['active', 'paused'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly ScheduleStatus[]; to: ScheduleStatus }>;

/** The refill check and its schedules (page 1, Refill decision; D40, D41). */
export function refillRoutes(signed: App, context: ServiceContext): void {
  const { sql, config } = context;
  const today = orchestratorToday(context);
  const thisDay = orchestratorDay(context);
  const isTrial = config.NODE_ENV === 'development';

  const departureNow = departureReader(context);

  signed.post(
    '/orchestrator/refill-check',
    {
      config: { access: { action: 'refill.check' }, failsWithoutPostgres: true },
      preValidation: defaultToEmptyBody,
      schema: {
        ...common,
        summary: 'Send every due refill',
        description: 'Responds when all are done. Concurrent checks send and charge each refill once.',
        ...(isTrial && { body: contract.refillCheckRequest }),
        response: {
          200: contract.refillCheckAnswer,
          ...issueErrors(400, 401, 403, 413, 415, 429, 503),
          500: z.union([internal, httpError]),
        },
      },
    },
    ({ apiKey, body, whose }) =>
      checkRefills(context, {
        ...(body as z.infer<typeof contract.refillCheckRequest>),
        requestedBy: apiKey.id,
        client: whose.client,
      }),
  );

  signed.get(
    '/orchestrator/refill-schedules',
    {
      config: { access: { action: 'refill.list' } },
      schema: {
        ...common,
        summary: 'List refill schedules, newest first',
        querystring: contract.scheduleQuery,
        response: { 200: contract.schedules, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async (request) => {
      const { status, emrPatientId, limit, cursor } = request.query;
      const filter = {
        client: request.whose.listed,
        status,
        emrPatientId,
        before: decodeCursor(cursor, z.uuid()),
      };
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listSchedules(sql, { ...filter, limit }),
        ({ id }) => id,
      );
      const schedules = await presentedSchedules(sql, page);
      return { schedules: schedules.map((entry) => ({ ...entry, ...shownTo(request, entry) })), nextCursor };
    },
  );

  signed.post(
    '/orchestrator/refill-schedules',
    {
      config: { access: { action: 'refill.create' } },
      schema: {
        ...common,
        summary: 'Create a refill schedule',
        description: answeredOnce,
        body: contract.newRefillSchedule,
        response: { 201: contract.schedule, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ accessed, apiKey, body, whose: { client } }, reply) => {
      if (!(await findActiveMedication(sql, body.medication)))
        throw new InvalidField('medication', `Unknown medication: ${body.medication}`);
      const { lastFillDate = await today() } = body;
      const dates = {
        lastFillDate,
        nextFillDate: body.nextFillDate ?? nextFillDate(lastFillDate, body.daysSupply),
        dosage: body.dosage ?? null,
        createdByTask: null,
        client,
        requestedBy: apiKey.id,
      };
      const left = await departureNow(body.emrPatientId);
      return answerOnce({ sql, service: 'orchestrator', status: 201 }, reply, async (sql) => {
        const schedule = await insertSchedule(sql, { ...body, ...dates }, left);
        if (!schedule) throw new Error('A new schedule was not stored');
        accessed.records = [schedule.id];
        return { schedule: await presentedSchedule(sql, schedule) };
      });
    },
  );

  signed.get(
    '/orchestrator/refill-schedules/:id',
    {
      config: { access: { action: 'refill.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Read a refill schedule',
        params,
        response: { 200: contract.schedule, ...issueErrors(401, 403, 404, 429, 500) },
      },
    },
    async ({ params: { id }, whose }) => ({
      schedule: await presentedSchedule(sql, await requireSchedule(context, id, whose)),
    }),
  );

  for (const name of ['pause', 'resume', 'cancel'] as const) {
    const { from, to } = operations[name];
    signed.post(
      `/orchestrator/refill-schedules/:id/${name}`,
      {
        config: { alsoFor: 'worklist', access: { action: `refill.${name}`, record: 'id' } },
        preValidation: defaultToEmptyBody,
        schema: {
          ...common,
          summary: `Change a schedule from ${from.join(' or ')} to ${to}`,
          params,
          headers: keyedHeaders,
          body: onlyOnBehalfOf,
          response: { 200: contract.schedule, ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500) },
        },
      },
      async (request, reply) => {
        const { id } = await requireSchedule(context, request.params.id, request.whose);
        const asked = { id, name, requestedBy: askedBy(request), day: await thisDay() };
        const shown = async (sql: Queryable, schedule: RefillSchedule) => ({
          schedule: await presentedSchedule(sql, schedule),
        });
        const changed = await changedByKey(sql, reply, {
          change: async (sql) => shown(sql, await operateIn(sql, asked)),
          show: async (sql) => shown(sql, found(await findSchedule(sql, id), 'Refill schedule')),
        });
        return changed ?? shown(sql, await sql.begin((sql) => operateIn(sql, asked)));
      },
    );
  }
}

/** @throws HttpError 500 if the due schedules cannot be listed, 503 if the outcome is not known in time */
async function checkRefills({ sql, temporal }: ServiceContext, asked: Parameters<typeof startCheck>[2]) {
  const outcome = await startCheck(temporal, answerWithinMs, asked);
  const ids: Record<string, string> = 'runId' in outcome ? { runId: outcome.runId } : {};
  const end = endOf(outcome, { what: 'refill check', ids });
  if (end.state === 'failed')
    throw new HttpError(500, 'The due refill schedules could not be listed', { code: 'unavailable' });
  const results = (await listResults(sql, end.result.checkId)).map(({ reason, ...result }) => ({
    ...result,
    ...(reason === null ? {} : { reason }),
  }));
  return { processed: results.length, results };
}

/**
 * Changes the status of a schedule as an operator asks (D40).
 * @throws HttpError 404, or 409 if its status does not allow it
 */
export async function operate(
  context: ServiceContext,
  id: string,
  name: keyof typeof operations,
  requestedBy: string,
): Promise<RefillSchedule> {
  const schedule = await requireSchedule(context, id);
  const day = await orchestratorDay(context)();
  const asked = { id: schedule.id, name, requestedBy, day };
  return context.sql.begin((sql) => operateIn(sql, asked));
}

interface Operation {
  id: string;
  name: keyof typeof operations;
  requestedBy: string;
  day: BusinessDay;
}

/** The same in a transaction. @throws HttpError 409 */
async function operateIn(sql: Queryable, { id, name, requestedBy, day }: Operation): Promise<RefillSchedule> {
  const { from, to } = operations[name];
  const schedule = await changeStatus(sql, id, { from, to, day, requestedBy });
  if (schedule) return schedule;
  const { status } = found(await findSchedule(sql, id), 'Refill schedule');
  throw conflict(`Schedule is ${status}`);
}

/** @param whose if given, a schedule of another client is not found (D140) */
async function requireSchedule(
  { sql }: ServiceContext,
  id: string,
  whose?: { client: string },
): Promise<RefillSchedule> {
  const schedule = found(await findSchedule(sql, idOf(id, 'Refill schedule')), 'Refill schedule');
  return found(whose && schedule.client !== whose.client ? undefined : schedule, 'Refill schedule');
}

/** The patient's state in the EMR now. If it does not answer, step 2 of the first refill finds out (D117). */
export function departureReader({ config, logger }: ServiceContext) {
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('orchestrator');
  const emr = createEmrClient({ baseUrl, token });
  return async (emrPatientId: string): Promise<DepartureReason | null> => {
    try {
      const record = await emr.readPatient(emrPatientId, { timeoutMs: emrTimeoutMs });
      const left = record && departureOf(record);
      return left === undefined ? null : departureReason(left);
    } catch (err) {
      if (!(err instanceof OutboundError)) throw err;
      logger.warn({ err }, 'the EMR did not give the patient of a new schedule');
      return null;
    }
  };
}

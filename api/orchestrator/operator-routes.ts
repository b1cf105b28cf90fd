import { z } from 'zod';
import { listDunnings } from '../../db/orchestrator/dunning.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findOrder } from '../../db/orchestrator/orders.js';
import {
  findPayment,
  findPaymentForTask,
  isChargingOver,
  type Payment,
} from '../../db/orchestrator/payments.js';
import { listRuns } from '../../db/orchestrator/runs.js';
import { isCancelled } from '../../db/orchestrator/tasks.js';
import { ownTaskId } from '../../domain/clients.js';
import { planOf } from '../../domain/orchestrator/dunning.js';
import { chargeAgain } from '../../starts/dunning.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { endOf } from '../outcomes.js';
import { conflict, issueErrors, notFound } from '../http-errors.js';
import { defaultToEmptyBody } from '../plugins/default-body.js';
import { keyedHeaders, onceByKey } from './keyed.js';
import { askedBy, onlyOnBehalfOf } from './on-behalf-of.js';
import { asKnown, keyOf, shownTo } from './whose.js';
import { withProgress } from './progress.js';
import * as contract from './contract.js';
import { recoveries, recoveriesQuery } from './payment-contract.js';

const common = { tags: ['Operators'], security: [{ signature: [] }] };
const runPosition = z.object({ createdAt: instant, id: z.uuid() });
const dunningPosition = z.object({ openedAt: instant, reference: z.string() });

/** Lists of runs and unpaid charges, and retries of charges (D85, D107). */
export function operatorRoutes(signed: App, context: ServiceContext): void {
  const { PAYMENT_RETRY_DAYS: retryDays, PAYMENT_RECOVERY_DAYS: recoveryDays } =
    context.config.service('orchestrator');

  signed.get(
    '/orchestrator/runs',
    {
      config: { access: { action: 'run.list' } },
      schema: {
        ...common,
        summary: 'List all runs, newest first',
        querystring: contract.runsQuery,
        response: { 200: contract.runs, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async (request) => {
      const { limit, cursor, client: _named, ...filter } = request.query;
      const { listed: client } = request.whose;
      const before = decodeCursor(cursor, runPosition);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) =>
          listRuns(context.sql, { ...filter, client, limit, ...(before === undefined ? {} : { before }) }),
        ({ createdAt, id }) => ({ createdAt, id }),
      );
      const runs = (await withProgress(context.temporal, page)).map((run) => ({
        ...run,
        taskId: ownTaskId(run.taskId),
        ...shownTo(request, run),
      }));
      return { runs, nextCursor };
    },
  );

  signed.post(
    '/orchestrator/payments/:taskId/retry',
    {
      config: { alsoFor: 'worklist', access: { action: 'payment.retry' } },
      preValidation: defaultToEmptyBody,
      schema: {
        ...common,
        summary: 'Retry the failed charge of a task',
        description:
          'For the task of a schedule, charges the newest refill. A decline responds 200 with status `failed`.',
        params: z.object({ taskId: z.string() }),
        headers: keyedHeaders,
        body: onlyOnBehalfOf,
        response: { 200: contract.payment, ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      const { taskId } = request.params;
      const key = await keyOf(context.sql, request, taskId);
      const charge = async (n?: number) => {
        const body = await retryPayment(context, key, { requestedBy: askedBy(request), n });
        request.accessed.records = [taskId];
        return { status: 200, body };
      };
      return onceByKey(
        context.sql,
        reply,
        (claimed) => charge(claimed?.fact == null ? undefined : Number(claimed.fact)),
        async () => {
          const failed = await findPaymentForTask(context.sql, key);
          return failed ? String(failed.attempt + 1) : null;
        },
      );
    },
  );

  signed.get(
    '/orchestrator/payment-recoveries',
    {
      config: { access: { action: 'payment.list' } },
      schema: {
        ...common,
        summary: 'List failed charges and their dunning, newest first',
        querystring: recoveriesQuery,
        response: { 200: recoveries, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async (request) => {
      const { state, limit, cursor } = request.query;
      const { listed: client } = request.whose;
      const before = decodeCursor(cursor, dunningPosition);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) =>
          listDunnings(context.sql, { client, state, limit, ...(before === undefined ? {} : { before }) }),
        ({ openedAt, reference }) => ({ openedAt, reference }),
      );
      const recoveries = page.map((dunning) => ({
        ...asKnown(dunning),
        taskId: ownTaskId(dunning.taskId),
        ...shownTo(request, dunning),
        nextAt: dunning.state === 'open' ? dunning.nextAt : null,
        endsAt: new Date(planOf(dunning.openedAt.getTime(), { retryDays, recoveryDays }).endsAt),
      }));
      return { recoveries, nextCursor };
    },
  );
}

/**
 * Retries a failed charge.
 * @param asked `n` is the attempt that an equal request has made, or would make
 * @param answerWithinMs the processor may use half of it
 * @throws HttpError 404 without a payment, 409 unless it has failed and is owed, 503 if the outcome is not known in time
 */
export async function retryPayment(
  { sql, temporal }: ServiceContext,
  taskId: string,
  { requestedBy, n }: { requestedBy: string; n?: number | undefined },
  answerWithinMs = 60_000,
) {
  const failed = await findPaymentForTask(sql, taskId);
  const order = failed && (await findOrder(sql, failed.taskId));
  if (!failed || !order) throw notFound('No payment found for this task');
  if (n !== undefined && failed.attempt >= n) return { payment: shownPayment(failed) };
  if (failed.status !== 'failed') throw conflict(`Payment is ${failed.status}`);
  if (await isCancelled(sql, failed.taskId)) throw conflict('Task was cancelled');
  if (await isChargingOver(sql, failed.taskId)) throw conflict('The charge was waived');

  const { reference, emrPatientId, medication } = order;
  const config = await findMedicationConfig(sql, medication);
  const priceCents = config?.priceCents ?? failed.amountCents;
  const charge = { taskId: reference, emrPatientId, priceCents, requestedBy };
  const again = { taskId: order.taskId, n: failed.attempt + 1, charge };
  endOf(await chargeAgain(temporal, again, answerWithinMs), {
    what: 'charge',
    ids: { taskId: ownTaskId(taskId) },
  });
  return { payment: shownPayment((await findPayment(sql, reference)) ?? failed) };
}

const shownPayment = ({ status, amountCents, currency }: Payment) => ({ status, amountCents, currency });

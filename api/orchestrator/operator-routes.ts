import { z } from 'zod';
import { listDunnings } from '../../db/orchestrator/dunning.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findOrder } from '../../db/orchestrator/orders.js';
import { findPayment, findPaymentForTask } from '../../db/orchestrator/payments.js';
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
      config: { access: { action: 'payment.retry' } },
      schema: {
        ...common,
        summary: 'Retry the failed charge of a task',
        description:
          'For the task of a schedule, charges the newest refill. A decline responds 200 with status `failed`.',
        params: z.object({ taskId: z.string() }),
        response: { 200: contract.payment, ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request) => {
      const { accessed, apiKey, params } = request;
      const { taskId } = params;
      const retried = await retryPayment(context, await keyOf(context.sql, request, taskId), apiKey.id);
      accessed.records = [taskId];
      return retried;
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
 * @param answerWithinMs the processor may use half of it
 * @throws HttpError 404 without a payment, 409 unless it has failed, 503 if the outcome is not known in time
 */
export async function retryPayment(
  { sql, temporal }: ServiceContext,
  taskId: string,
  requestedBy: string,
  answerWithinMs = 60_000,
) {
  const failed = await findPaymentForTask(sql, taskId);
  const order = failed && (await findOrder(sql, failed.taskId));
  if (!failed || !order) throw notFound('No payment found for this task');
  if (failed.status !== 'failed') throw conflict(`Payment is ${failed.status}`);
  if (await isCancelled(sql, failed.taskId)) throw conflict('Task was cancelled');

  const { reference, emrPatientId, medication } = order;
  const config = await findMedicationConfig(sql, medication);
  const priceCents = config?.priceCents ?? failed.amountCents;
  const charge = { taskId: reference, emrPatientId, priceCents, requestedBy };
  const again = { taskId: order.taskId, n: failed.attempt + 1, charge };
  endOf(await chargeAgain(temporal, again, answerWithinMs), {
    what: 'charge',
    ids: { taskId: ownTaskId(taskId) },
  });
  const { status, amountCents, currency } = (await findPayment(sql, reference)) ?? failed;
  return { payment: { status, amountCents, currency } };
}

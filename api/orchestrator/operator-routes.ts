import { z } from 'zod';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findOrder } from '../../db/orchestrator/orders.js';
import { findPayment, findPaymentForTask } from '../../db/orchestrator/payments.js';
import { listRuns } from '../../db/orchestrator/runs.js';
import { isCancelled } from '../../db/orchestrator/tasks.js';
import { chargeAgain } from '../../starts/dunning.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { endOf } from '../outcomes.js';
import { conflict, issueErrors, notFound } from '../http-errors.js';
import { withProgress } from './progress.js';
import * as contract from './contract.js';

const common = { tags: ['Operators'], security: [{ signature: [] }] };
const position = z.object({ createdAt: instant, id: z.uuid() });

/** What operators look at and set right (D85). */
export function operatorRoutes(signed: App, context: ServiceContext): void {
  signed.get(
    '/orchestrator/runs',
    {
      config: { access: { action: 'run.list' } },
      schema: {
        ...common,
        summary: 'All runs, newest first',
        querystring: contract.runsQuery,
        response: { 200: contract.runs, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, position);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listRuns(context.sql, { ...filter, limit, ...(before === undefined ? {} : { before }) }),
        ({ createdAt, id }) => ({ createdAt, id }),
      );
      return { runs: await withProgress(context.temporal, page), nextCursor };
    },
  );

  signed.post(
    '/orchestrator/payments/:taskId/retry',
    {
      config: { access: { action: 'payment.retry' } },
      schema: {
        ...common,
        summary: 'Charge a task again whose charge has failed',
        description:
          'Of a schedule’s task, the newest refill. A decline is answered 200 with status `failed`.',
        params: z.object({ taskId: z.string() }),
        response: { 200: contract.payment, ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500, 503) },
      },
    },
    async ({ accessed, apiKey, params: { taskId } }) => {
      const retried = await retryPayment(context, taskId, apiKey.id);
      accessed.records = [taskId];
      return retried;
    },
  );
}

/**
 * @param answerWithinMs the processor may use up half of it
 * @throws Refused 404 without a payment, 409 unless it has failed, 503 when the end is not known here
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
  endOf(await chargeAgain(temporal, again, answerWithinMs), { what: 'charge', ids: { taskId } });
  const { status, amountCents, currency } = (await findPayment(sql, reference)) ?? failed;
  return { payment: { status, amountCents, currency } };
}

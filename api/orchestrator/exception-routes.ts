import type { FastifyRequest } from 'fastify';
import { ownTaskId } from '../../domain/clients.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors, httpError } from '../http-errors.js';
import { requestDigest } from '../plugins/answer-once.js';
import { cancel } from './cancel.js';
import { keyedHeaders, onceByKey, refundKeyOf } from './keyed.js';
import { askedBy } from './on-behalf-of.js';
import * as contract from './contract.js';
import { createReplacing } from './replace.js';
import * as refunds from './refund-contract.js';
import { refund } from './refund.js';
import { reroute } from './reroute.js';
import { createSendingAgain } from './send-again.js';
import { asKnown, keyOf } from './whose.js';

const common = { tags: ['Exceptions'], security: [{ signature: [] }] };

/** Cancels an approval, reroutes or replaces its order, refunds its charge, and tells the patient again (D104, D105, D120, D135). */
export function exceptionRoutes(signed: App, context: ServiceContext): void {
  const replace = createReplacing(context);
  const sendAgain = createSendingAgain(context);
  /** The body with the key of its task. */
  const named = async <B extends { taskId: string }>(request: FastifyRequest, body: B): Promise<B> => ({
    ...body,
    taskId: await keyOf(context.sql, request, body.taskId),
  });

  signed.post(
    '/orchestrator/cancel',
    {
      config: { alsoFor: 'worklist', access: { action: 'prescription.cancel' } },
      schema: {
        ...common,
        summary: 'Cancel an approval',
        description:
          'Stops a run that has not ordered yet; otherwise asks the pharmacy to cancel the order. If the pharmacy approves, the charge is refunded in full, refills are canceled and the patient is notified. If it denies, nothing changes. Responds 202 while the pharmacy has not answered; repeat the same request to get the answer. After a denial, the same request asks again.',
        headers: keyedHeaders,
        body: contract.cancelRequest,
        response: {
          200: contract.cancelled,
          202: contract.cancelled,
          ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      request.accessed.records = [taskId];
      return onceByKey(context.sql, reply, async () => {
        const body = await named(request, request.body);
        const { cancellation, replayed } = await cancel(context, body, askedBy(request));
        if (replayed) void reply.header('idempotent-replayed', 'true');
        const status = cancellation.state === 'pending' ? 202 : 200;
        return { status, body: { success: true as const, taskId, cancellation } };
      });
    },
  );

  signed.post(
    '/orchestrator/reroute',
    {
      config: {
        alsoFor: 'worklist',
        errorCodes: { 502: ['order_rejected'] },
        access: { action: 'prescription.reroute' },
      },
      schema: {
        ...common,
        summary: 'Reroute the order of a task to another pharmacy or address',
        description:
          'The first pharmacy must cancel the order before it is placed again. Nothing is charged again. Responds 202 while either pharmacy has not answered. Repeating the same request joins the reroute.',
        headers: keyedHeaders,
        body: contract.rerouteRequest,
        response: {
          200: contract.rerouted,
          202: contract.cancelled,
          ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: contract.notReroutable,
          422: httpError.describe(
            'The pharmacy already has the order or cannot fill it, or `shipTo` is in another state',
          ),
          502: httpError.describe('The new pharmacy rejected the order; the task has no order now'),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      request.accessed.records = [taskId];
      return onceByKey<unknown>(context.sql, reply, async () => {
        const body = await named(request, request.body);
        const rerouted = await reroute(context, body, askedBy(request));
        if ('cancellation' in rerouted)
          return { status: 202, body: { success: true, taskId, cancellation: rerouted.cancellation } };
        const { submissionId, pharmacy, reference, replayed } = rerouted;
        if (replayed) void reply.header('idempotent-replayed', 'true');
        const order = { submissionId, pharmacy, reference: ownTaskId(reference) };
        return { status: 200, body: { success: true, taskId, ...order } };
      }) as never;
    },
  );

  signed.post(
    '/orchestrator/replacements',
    {
      config: {
        alsoFor: 'worklist',
        errorCodes: {
          409: [
            'conflict',
            'patient_not_found',
            'patient_incomplete',
            'patient_inactive',
            'patient_deceased',
            'patient_merged',
          ],
          422: ['no_pharmacy_route', 'medication_not_at_pharmacy'],
          502: ['order_rejected'],
        },
        access: { action: 'prescription.replace' },
      },
      schema: {
        ...common,
        summary: 'Order a shipped order again',
        description:
          'Orders the same prescription at the same pharmacy, or at the one that serves another state in `shipTo`. Counts as no refill. Responds 202 if the pharmacy has not answered after 60 s; repeating the same request joins it. Until the replacement is delivered, canceled or rejected, the same request returns it with `Idempotent-Replayed: true`.',
        headers: keyedHeaders,
        body: contract.replacementRequest,
        response: {
          200: contract.replaced,
          202: contract.replaced,
          ...issueErrors(400, 401, 403, 404, 409, 413, 415, 429, 500, 503),
          422: httpError.describe('No pharmacy serves the state, or it cannot fill the prescription'),
          502: httpError.describe('The pharmacy rejected the order'),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      request.accessed.records = [taskId];
      return onceByKey(context.sql, reply, async (claimed) => {
        const body = await named(request, request.body);
        const asked = { requestedBy: askedBy(request), requestKey: claimed?.requestKey ?? null };
        const { replacement, replayed } = await replace(body, asked);
        if (replayed) void reply.header('idempotent-replayed', 'true');
        const status = replacement.state === 'pending' ? 202 : 200;
        return { status, body: { success: true as const, taskId, replacement: asKnown(replacement) } };
      });
    },
  );

  signed.post(
    '/orchestrator/refunds',
    {
      config: { alsoFor: 'worklist', access: { action: 'prescription.refund' } },
      schema: {
        ...common,
        summary: 'Refund a part of a charge, or all that is left',
        description:
          'The order and the refills stay. Never refunds more than was charged. Responds 202 if the processor has not answered after 30 s; repeating the same request joins it. A later cancellation refunds the rest.',
        headers: refunds.refundHeaders,
        body: refunds.refundRequest,
        response: {
          200: refunds.refunded,
          202: refunds.refunded,
          ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: refunds.notRefundable.describe('Nothing is left to refund, or less than asked for'),
        },
      },
    },
    async (request, reply) => {
      const { apiKey, body, headers } = request;
      request.accessed.records = [body.taskId];
      const idempotencyKey = headers['idempotency-key'];
      const requestKey =
        idempotencyKey === undefined
          ? `request:${requestDigest(request).toString('hex')}`
          : refundKeyOf(apiKey.id, idempotencyKey);
      const made = await refund(context, await named(request, body), {
        requestedBy: askedBy(request),
        requestKey,
      });
      if (made.replayed) void reply.header('idempotent-replayed', 'true');
      return reply.code(made.refund.state === 'pending' ? 202 : 200).send({ refund: made.refund });
    },
  );

  signed.post(
    '/orchestrator/send-again',
    {
      config: {
        alsoFor: 'worklist',
        errorCodes: { 502: ['not_delivered'] },
        access: { action: 'notification.send' },
      },
      schema: {
        ...common,
        summary: 'Send the last message about a task again',
        description:
          "Goes to the patient's e-mail address and phone that the EMR has now. Requests with the same Idempotency-Key send it once.",
        headers: keyedHeaders,
        body: contract.sendAgainRequest,
        response: {
          200: contract.sentAgain,
          ...issueErrors(400, 401, 403, 404, 413, 415, 429, 500, 503),
          409: httpError.describe('No message was sent yet, or the patient has no usable contact'),
          502: httpError.describe('No channel could deliver'),
        },
      },
    },
    async (request, reply) => {
      const { taskId } = request.body;
      request.accessed.records = [taskId];
      return onceByKey(context.sql, reply, async (claimed) => {
        const key = claimed?.requestKey ?? requestDigest(request).toString('hex');
        const notice = await sendAgain(await keyOf(context.sql, request, taskId), `again:${key}`);
        return { status: 200, body: { success: true as const, taskId, notice } };
      });
    },
  );
}

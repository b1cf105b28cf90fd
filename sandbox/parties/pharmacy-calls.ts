import type { FastifyInstance, FastifyReply, FastifyRequest, preHandlerAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { DenialWords, Order, Pharmacy } from '../order.js';
import type { OrderBook } from '../orders.js';
import { fieldsText, keyOfCall } from './pharmacy.js';

/** A pharmacy's names for the common calls. */
export interface PharmacyDialect {
  /** The field of our reference in orders and queries. */
  reference: string;
  /** The list's name in search results. */
  list: string;
  /** An order in answers. */
  shown: (order: Order) => unknown;
  /** The answer to a cancellation; `denial` is null for an approval. */
  cancelled: (orderId: string, denial: string | null) => unknown;
  denials: DenialWords;
  /** Fields that an answer to a hold may change, in the order's format. */
  changes: z.ZodType;
}

const cancellation = z.strictObject({ reason: z.string().optional() });

/** Adds the calls for reading, finding and cancelling orders and for answering holds, below `path`. */
export function addOrderCalls(
  scope: FastifyInstance,
  path: string,
  orders: OrderBook,
  { pharmacy, test }: { pharmacy: Pharmacy; test: boolean },
  { reference, list, shown, cancelled, denials, changes }: PharmacyDialect,
  authorise: preHandlerAsyncHookHandler,
): void {
  const call = (operation: string) => ({
    config: { operation, ...(test && { test: true as const }) },
    preHandler: authorise,
  });
  const answer = z.strictObject({
    answer: z.enum(['proceed', 'change', 'decline']),
    text: z.string().optional(),
    changes: changes.optional(),
  });
  const found = ({ params }: FastifyRequest): Order | undefined => {
    const order = orders.find(pharmacy, (params as { orderId: string }).orderId);
    return order?.test === test && !order.forgotten ? order : undefined;
  };
  const unknown = (reply: FastifyReply) => reply.code(404).send({ error: 'Unknown order' });
  const conflict = (reply: FastifyReply) =>
    reply.code(409).send({ error: 'Idempotency-Key was used with a different request' });

  scope.get(`${path}/:orderId`, call('ask'), (request, reply) => {
    const order = found(request);
    return order ? reply.send(shown(order)) : unknown(reply);
  });

  scope.get(path, call('find'), (request, reply) => {
    const wanted = (request.query as Record<string, unknown>)[reference];
    if (typeof wanted !== 'string' || wanted === '') {
      return reply.code(422).send({ error: `Missing or invalid fields: ${reference}` });
    }
    const matching = orders
      .placedAt(pharmacy, test)
      .filter(({ body, forgotten }) => !forgotten && (body as Record<string, unknown>)[reference] === wanted);
    return reply.send({ [list]: matching.map(shown) });
  });

  scope.post(`${path}/:orderId/cancel`, call('cancel'), (request, reply) => {
    const idempotencyKey = keyOfCall(request, reply);
    if (idempotencyKey === undefined) return reply;
    const order = found(request);
    if (!order) return unknown(reply);
    const { data: body, error } = cancellation.safeParse(request.body ?? {});
    if (error) return reply.code(422).send({ error: fieldsText(error) });
    const decided = orders.cancel(order, { idempotencyKey, body }, denials);
    if (decided === 'conflict') return conflict(reply);
    return reply.send(cancelled(order.orderId, decided.denial));
  });

  scope.post<{ Params: { orderId: string; holdId: string } }>(
    `${path}/:orderId/holds/:holdId/answer`,
    call('answer'),
    (request, reply) => {
      const idempotencyKey = keyOfCall(request, reply);
      if (idempotencyKey === undefined) return reply;
      const order = found(request);
      if (!order) return unknown(reply);
      const { data: body, error } = answer.safeParse(request.body ?? {});
      if (error) return reply.code(422).send({ error: fieldsText(error) });
      switch (
        orders.answerHold(order, request.params.holdId, { idempotencyKey, body, answer: body.answer })
      ) {
        case 'taken':
          return reply.send({ ok: true });
        case 'unknown':
          return reply.code(404).send({ error: 'Unknown hold' });
        case 'closed':
          return reply.code(409).send({ error: 'Hold is not open' });
        case 'conflict':
          return conflict(reply);
      }
    },
  );
}

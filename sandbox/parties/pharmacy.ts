import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Order, Pharmacy } from '../order.js';
import type { OrderBook } from '../orders.js';

/** Names the invalid fields of an order; an error text never repeats a value. */
export const fieldsText = (error: z.ZodError): string =>
  `Missing or invalid fields: ${[...new Set(error.issues.map((issue) => issue.path.join('.')))].join(', ')}`;

/** The idempotency key of a write; without it the answer is 400. */
export function keyOfCall(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { 'idempotency-key': key } = request.headers;
  if (typeof key === 'string' && key !== '') return key;
  void reply.code(400).send({ error: 'Idempotency-Key header is required' });
  return undefined;
}

/** Accepts a valid order with 201, or answers 400 or 409 for its key. */
export function placeOrder(
  orders: OrderBook,
  { pharmacy, test }: { pharmacy: Pharmacy; test: boolean },
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (order: Pick<Order, 'orderId'>) => unknown,
): FastifyReply {
  const idempotencyKey = keyOfCall(request, reply);
  if (idempotencyKey === undefined) return reply;
  const order = orders.place({ pharmacy, idempotencyKey, test, body: request.body });
  if (order === 'conflict') {
    return reply.code(409).send({ error: 'Idempotency-Key was used with a different order' });
  }
  return reply.code(201).send(answer(order));
}

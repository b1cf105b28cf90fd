import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Order, Pharmacy } from '../order.js';
import type { OrderBook } from '../orders.js';

/** The fields of a rejected order, by name only: an error text never repeats a value. */
export const fieldsText = (error: z.ZodError): string =>
  `Missing or invalid fields: ${[...new Set(error.issues.map((issue) => issue.path.join('.')))].join(', ')}`;

/** The key of a call that changes something; without one the call is answered 400. */
export function keyOfCall(request: FastifyRequest, reply: FastifyReply): string | undefined {
  const { 'idempotency-key': key } = request.headers;
  if (typeof key === 'string' && key !== '') return key;
  void reply.code(400).send({ error: 'Idempotency-Key header is required' });
  return undefined;
}

/** Takes an order once it is known to be well formed, and answers 201, or 400 and 409 about its key. */
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

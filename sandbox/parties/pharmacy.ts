import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Order, Pharmacy } from '../order.js';
import type { OrderBook } from '../orders.js';
import { postWebhook } from './webhook.js';

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

const move = z.strictObject({
  status: z.string().min(1),
  trackingNumber: z.string().min(1).optional(),
  carrier: z.string().min(1).optional(),
});
type Move = z.infer<typeof move>;

/** The webhook of one pharmacy: where it goes, its secret, and its body for an order that moves. */
export interface PharmacyWebhook {
  url: string;
  secret: string;
  body: (orderId: string, move: Move) => unknown;
}

/**
 * Adds `POST /pharmacies/<name>/orders/:orderId/status`, which moves an order and tells the router.
 * @param names the pharmacies whose orders these are, as the router names them
 */
export function moveOrders(
  scope: FastifyInstance,
  orders: OrderBook,
  pharmacy: Pharmacy,
  names: readonly string[],
  webhook: PharmacyWebhook,
): void {
  for (const name of names) {
    scope.post<{ Params: { orderId: string } }>(
      `/pharmacies/${name}/orders/:orderId/status`,
      async (request, reply) => {
        const order = orders.find(pharmacy, request.params.orderId);
        if (!order) return reply.code(404).send({ error: 'Unknown order' });
        const to = move.parse(request.body);
        if (!orders.move(order, to)) return reply.code(409).send({ error: 'Order is cancelled' });
        const text = JSON.stringify(webhook.body(order.orderId, to));
        return postWebhook(reply, webhook.url, { 'x-webhook-secret': webhook.secret }, text);
      },
    );
  }
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Move, NewHold, Order, Pharmacy } from '../order.js';
import type { ArticleBook } from '../articles.js';
import type { OrderBook } from '../orders.js';
import { postWebhook } from './webhook.js';

const text = z.string().min(1);
const moveForm = z.strictObject({
  status: text,
  trackingNumber: text.optional(),
  carrier: text.optional(),
  silent: z.boolean().default(false),
});
const holdForm = z.strictObject({
  id: text,
  code: text,
  message: z.string().optional(),
  until: text.optional(),
});
const releaseForm = z.strictObject({ id: text });
const emptyForm = z.strictObject({});
const articleForm = z.strictObject({ article: text });
const instructionForm = z.strictObject({ answer: z.enum(['approve', 'deny']), reason: text.optional() });

/** A pharmacy's webhooks: address, secret and bodies. */
export interface PharmacyWebhooks {
  url: string;
  secret: string;
  moved: (orderId: string, move: Move) => unknown;
  held: (orderId: string, hold: NewHold) => unknown;
  released: (orderId: string, holdId: string) => unknown;
}

/** Adds the calls that list and add the articles of a pharmacy. @param names as in {@link controlOrders} */
export function controlArticles(
  scope: FastifyInstance,
  articles: ArticleBook,
  pharmacy: Pharmacy,
  names: readonly string[],
): void {
  for (const name of names) {
    const path = `/pharmacies/${name}/articles`;
    scope.get(path, () => ({ articles: articles.list(pharmacy) }));
    scope.post(path, (request) => {
      articles.add(pharmacy, articleForm.parse(request.body).article);
      return { articles: articles.list(pharmacy) };
    });
  }
}

/**
 * Adds the calls below `/pharmacies/<name>/orders/:orderId` that change an order and send its webhook, or set its
 * answers.
 * @param names the pharmacies of these orders, by the router's names
 */
export function controlOrders(
  scope: FastifyInstance,
  orders: OrderBook,
  pharmacy: Pharmacy,
  names: readonly string[],
  { url, secret, moved, held, released }: PharmacyWebhooks,
): void {
  const tell = (reply: FastifyReply, webhook: unknown) =>
    postWebhook(reply, url, { 'x-webhook-secret': secret }, JSON.stringify(webhook));

  const add = (
    call: string,
    handle: (order: Order, body: unknown, reply: FastifyReply) => FastifyReply | Promise<FastifyReply>,
  ): void => {
    for (const name of names) {
      scope.post<{ Params: { orderId: string } }>(
        `/pharmacies/${name}/orders/:orderId/${call}`,
        (request, reply) => {
          const order = orders.find(pharmacy, request.params.orderId);
          if (!order) return reply.code(404).send({ error: 'Unknown order' });
          return handle(order, request.body, reply);
        },
      );
    }
  };

  add('status', (order, body, reply) => {
    const { silent, ...move } = moveForm.parse(body);
    if (!orders.move(order, move)) {
      return reply.code(409).send({ error: order.forgotten ? 'Order is forgotten' : 'Order is cancelled' });
    }
    return silent ? reply.send({ ok: true }) : tell(reply, moved(order.orderId, move));
  });
  add('hold', (order, body, reply) => {
    const hold = holdForm.parse(body);
    orders.hold(order, hold);
    return tell(reply, held(order.orderId, hold));
  });
  add('release', (order, body, reply) => {
    const { id } = releaseForm.parse(body);
    orders.release(order, id);
    return tell(reply, released(order.orderId, id));
  });
  add('forget', (order, body, reply) => {
    emptyForm.parse(body ?? {});
    orders.forget(order);
    return reply.send({ ok: true });
  });
  add('cancellation', (order, body, reply) => {
    orders.instruct(order, instructionForm.parse(body));
    return reply.send({ ok: true });
  });
}

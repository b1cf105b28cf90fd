import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findBilledOrders, listShippedOrders } from '../../db/router/shipped-orders.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { submissionStatuses } from '../../domain/router/submission.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, nextCursor, pageOf, pageQuery } from '../cursor.js';
import { fieldErrors, forbidden } from '../http-errors.js';
import { instant } from '../instant.js';

const pharmacy = z.enum(pharmacies);
const order = z
  .object({
    submissionId: z.string(),
    source: z.string().nullable().describe('Null for an order of another client'),
    sourceOrderId: z.string().nullable(),
    pharmacyOrderId: z.string(),
    status: z.enum(submissionStatuses),
    article: z.string().nullable(),
    shippedAt: z.date().nullable(),
  })
  .meta({ id: 'ShippedOrder' });

const common = { tags: ['Prescriptions'], security: [{ signature: [] }] };
const access = { action: 'prescription.list' } as const;

/** The orders that pharmacies bill, of all clients, for our own services and keys with the scope `admin` (D133). */
export function shippedRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/rx/shipped-orders',
    {
      config: { access },
      preValidation: ownKeysOnly,
      schema: {
        ...common,
        summary: 'List the orders that a pharmacy shipped in a period, oldest first',
        description: 'Orders of all clients, without test orders.',
        querystring: pageQuery.extend({
          pharmacy,
          shippedFrom: instant.describe('Inclusive'),
          shippedTo: instant.describe('Exclusive'),
        }),
        response: {
          200: z.object({ orders: z.array(order), nextCursor }),
          ...fieldErrors(400, 401, 403, 429, 500),
        },
      },
    },
    async ({ apiKey, query: { pharmacy, shippedFrom: from, shippedTo: to, limit, cursor } }) => {
      const after = decodeCursor(cursor, z.uuid());
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listShippedOrders(sql, { apiKeyId: apiKey.id, pharmacy, from, to, after, limit }),
        ({ submissionId }) => submissionId,
      );
      return { orders: page, nextCursor };
    },
  );

  signed.post(
    '/rx/shipped-orders/find',
    {
      config: { access },
      preValidation: ownKeysOnly,
      schema: {
        ...common,
        summary: "Find orders by the pharmacy's own ids",
        description: 'Orders of all clients at the system of the pharmacy, without test orders.',
        body: z
          .object({ pharmacy, pharmacyOrderIds: z.array(text(200)).max(200) })
          .meta({ id: 'BilledOrders' }),
        response: {
          200: z.object({ orders: z.array(order) }),
          ...fieldErrors(400, 401, 403, 413, 415, 429, 500),
        },
      },
    },
    async ({ apiKey, body }) => ({ orders: await findBilledOrders(sql, { apiKeyId: apiKey.id, ...body }) }),
  );
}

/** @throws HttpError 403 for the key of a client, which reads its own orders only */
async function ownKeysOnly({ apiKey }: FastifyRequest): Promise<void> {
  if (!apiKey.isOwn && !apiKey.scopes.includes('admin')) throw forbidden('Key not allowed for this service');
}

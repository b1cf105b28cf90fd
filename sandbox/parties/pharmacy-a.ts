import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openHold, toldStatus } from '../order.js';
import type { Outside, Party } from '../outside.js';
import { addOrderCalls, type PharmacyDialect } from './pharmacy-calls.js';
import { controlArticles, controlOrders } from './pharmacy-control.js';
import { controlStatements } from './pharmacy-statements.js';
import { fieldsText, placeOrder } from './pharmacy.js';

const text = z.string().min(1);
const optional = z.string().optional();
const shipTo = z.object({
  firstName: text,
  lastName: text,
  phone: text,
  line1: text,
  line2: optional,
  city: text,
  state: text,
  zip: text,
});
const order = z.object({
  externalId: text,
  sku: text,
  quantity: z.number().positive(),
  daysSupply: z.number().positive(),
  refills: z.number().min(0),
  sig: text,
  note: optional,
  justification: optional,
  patient: z.object({
    firstName: text,
    lastName: text,
    dob: z.iso.date(),
    gender: z.enum(['m', 'f']),
    phone: text,
    email: optional,
  }),
  shipTo,
  prescriber: z.object({
    firstName: text,
    lastName: text,
    npi: text,
    deaNumber: optional,
    licenseNumber: optional,
    licenseState: optional,
    phone: optional,
    fax: optional,
    email: optional,
  }),
});

const dialect: PharmacyDialect = {
  reference: 'externalId',
  list: 'orders',
  shown: (order) => {
    const hold = openHold(order);
    return {
      caseId: order.orderId,
      externalId: (order.body as { externalId: string }).externalId,
      rxStatus: toldStatus(order),
      trackingNumber: order.trackingNumber,
      carrier: order.carrier,
      hold: hold && { id: hold.id, code: hold.code, message: hold.message, until: hold.until },
    };
  },
  cancelled: (caseId, denial) =>
    denial === null
      ? { caseId, cancellation: 'approved' }
      : { caseId, cancellation: 'denied', reason: denial },
  denials: { shipped: 'already-shipped', dispensed: 'already-dispensed', other: 'call-us' },
  changes: z.strictObject({
    sig: text.optional(),
    quantity: order.shape.quantity.optional(),
    daysSupply: order.shape.daysSupply.optional(),
    shipTo: shipTo.optional(),
  }),
};

/** pharmacy_a: one B2B endpoint with an API key and SKUs. It also receives orders for pharmacy_c. */
export function createPharmacyA({ config, orders, articles, prices }: Outside): Party {
  const authorise = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.headers['x-api-key'] === config.SANDBOX_PHARMACY_A_API_KEY) return;
    await reply.code(401).send({ error: 'Invalid API key' });
  };
  const addOrders = (scope: FastifyInstance, path: string, test: boolean): void => {
    const operation = { operation: 'order', ...(test && { test }) };
    scope.post(path, { config: operation, preHandler: authorise }, (request, reply) => {
      const parsed = order.safeParse(request.body);
      if (!parsed.success) return reply.code(422).send({ error: fieldsText(parsed.error) });
      if (!articles.has('pharmacy_a', parsed.data.sku)) return reply.code(422).send({ error: 'Unknown SKU' });
      return placeOrder(orders, { pharmacy: 'pharmacy_a', test }, request, reply, ({ orderId }) => ({
        caseId: orderId,
        status: 'received',
      }));
    });
    addOrderCalls(scope, path, orders, { pharmacy: 'pharmacy_a', test }, dialect, authorise);
  };
  return {
    target: 'pharmacy_a',
    prefixes: ['/pharmacy-a'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      addOrders(scope, '/orders', false);
      addOrders(scope, '/test/orders', true);
    },
    control: (scope) => {
      const names = ['pharmacy_a', 'pharmacy_c'];
      controlArticles(scope, articles, 'pharmacy_a', names);
      controlStatements(
        scope,
        { orders, prices },
        'pharmacy_a',
        names,
        ({ body }) => (body as { sku: string }).sku,
      );
      controlOrders(scope, orders, 'pharmacy_a', names, {
        url: `${config.SANDBOX_ROUTER_URL}/rx/webhooks/pharmacy_a`,
        secret: config.SANDBOX_PHARMACY_A_WEBHOOK_SECRET,
        moved: (caseId, { status, trackingNumber }) => ({ caseId, trackingNumber, rxStatus: status }),
        held: (caseId, hold) => ({ caseId, rxStatus: 'on-hold', hold }),
        released: (caseId, id) => ({ caseId, rxStatus: 'hold-released', hold: { id } }),
      });
    },
  };
}

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Outside, Party } from '../outside.js';
import { fieldsText, moveOrders, placeOrder } from './pharmacy.js';

const SKUS = ['12565', '12850', '12832'];

const text = z.string().min(1);
const optional = z.string().optional();
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
  shipTo: z.object({
    firstName: text,
    lastName: text,
    phone: text,
    line1: text,
    line2: optional,
    city: text,
    state: text,
    zip: text,
  }),
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

/** pharmacy_a: one B2B endpoint with an API key and SKUs. Orders for pharmacy_c arrive here too. */
export function createPharmacyA({ config, orders }: Outside): Party {
  const addOrders = (scope: FastifyInstance, path: string, test: boolean): void => {
    scope.post(path, { config: { operation: 'order', ...(test && { test }) } }, (request, reply) => {
      if (request.headers['x-api-key'] !== config.SANDBOX_PHARMACY_A_API_KEY) {
        return reply.code(401).send({ error: 'Invalid API key' });
      }
      const parsed = order.safeParse(request.body);
      if (!parsed.success) return reply.code(422).send({ error: fieldsText(parsed.error) });
      if (!SKUS.includes(parsed.data.sku)) return reply.code(422).send({ error: 'Unknown SKU' });
      return placeOrder(orders, { pharmacy: 'pharmacy_a', test }, request, reply, ({ orderId }) => ({
        caseId: orderId,
        status: 'received',
      }));
    });
  };
  return {
    target: 'pharmacy_a',
    prefixes: ['/pharmacy-a'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      addOrders(scope, '/orders', false);
      addOrders(scope, '/test/orders', true);
    },
    control: (scope) =>
      moveOrders(scope, orders, 'pharmacy_a', ['pharmacy_a', 'pharmacy_c'], {
        url: `${config.SANDBOX_ROUTER_URL}/rx/webhooks/pharmacy_a`,
        secret: config.SANDBOX_PHARMACY_A_WEBHOOK_SECRET,
        body: (orderId, { status, trackingNumber }) => ({
          caseId: orderId,
          trackingNumber,
          rxStatus: status,
        }),
      }),
  };
}

import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { openHold, toldStatus, type NewHold } from '../order.js';
import type { Outside, Party } from '../outside.js';
import { addOrderCalls, type PharmacyDialect } from './pharmacy-calls.js';
import { controlArticles, controlOrders } from './pharmacy-control.js';
import { controlStatements } from './pharmacy-statements.js';
import { fieldsText, placeOrder } from './pharmacy.js';

const text = z.string().min(1);
const optional = z.string().optional();
const described = z.array(z.object({ description: text })).optional();
const shipping = z.object({
  firstName: text,
  lastName: text,
  phone: text,
  address1: text,
  address2: optional,
  city: text,
  state: text,
  zip: text,
});
const prescription = z.object({
  reference: text,
  catalogId: text,
  quantity: z.number().positive(),
  daysSupply: z.number().positive(),
  refills: z.number().min(0),
  directions: text,
  note: optional,
  justification: optional,
  billTo: z.enum(['patient', 'practice']),
  patient: z.object({
    firstName: text,
    lastName: text,
    birthDate: z.iso.date(),
    gender: z.enum(['male', 'female']),
    phone: text,
    email: optional,
  }),
  shipping,
  prescriber: z.object({
    firstName: text,
    lastName: text,
    npi: text,
    dea: optional,
    license: optional,
    licenseState: optional,
    phone: optional,
    fax: optional,
    email: optional,
    address: z.unknown().optional(),
  }),
  signedPrescriptionImage: optional,
  allergies: described,
  diseases: described,
  medications: described,
});

const heldFields = ({ id, code, message, until }: NewHold) => ({
  holdid: id,
  holdcode: code,
  holdmessage: message,
  holduntil: until,
});

const dialect: PharmacyDialect = {
  reference: 'reference',
  list: 'prescriptions',
  shown: (order) => {
    const hold = openHold(order);
    return {
      tracking_id: order.orderId,
      reference: (order.body as { reference: string }).reference,
      rxstatus: toldStatus(order),
      trackingnumber: order.trackingNumber,
      shippingcarrier: order.carrier,
      ...(hold && heldFields(hold)),
    };
  },
  cancelled: (trackingId, denial) =>
    denial === null
      ? { tracking_id: trackingId, result: 'approved' }
      : { tracking_id: trackingId, result: 'denied', denial_reason: denial },
  denials: { shipped: 'SHIPPED', dispensed: 'DISPENSED', other: 'CALL_US' },
  changes: z.strictObject({
    directions: text.optional(),
    quantity: prescription.shape.quantity.optional(),
    daysSupply: prescription.shape.daysSupply.optional(),
    shipping: shipping.optional(),
  }),
};

/** Client id and secret from the form or from Basic authentication. */
function credentials(request: FastifyRequest): { id: unknown; secret: unknown } {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic !== undefined) {
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':');
    return { id, secret };
  }
  const form = z.record(z.string(), z.unknown()).catch({}).parse(request.body);
  return { id: form['client_id'], secret: form['client_secret'] };
}

/** pharmacy_b: OAuth 2.0 client credentials and a catalog. Live and test tokens differ. */
export function createPharmacyB({ config, orders, articles, prices }: Outside): Party {
  const ttlSeconds = config.SANDBOX_PHARMACY_B_TOKEN_TTL_SECONDS;

  const addVariant = (scope: FastifyInstance, base: string, test: boolean): void => {
    /** Tokens with their expiry in epoch milliseconds. A restart forgets them, and clients request new ones. */
    const tokens = new Map<string, number>();

    scope.post(`${base}/oauth/token`, { config: { operation: 'token' } }, (request, reply) => {
      const { id, secret } = credentials(request);
      if (id !== config.SANDBOX_PHARMACY_B_CLIENT_ID || secret !== config.SANDBOX_PHARMACY_B_CLIENT_SECRET) {
        return reply.code(401).send({ error: 'invalid_client' });
      }
      if ((request.body as { grant_type?: unknown } | undefined)?.grant_type !== 'client_credentials') {
        return reply.code(400).send({ error: 'unsupported_grant_type' });
      }
      for (const [token, endsAt] of tokens) if (endsAt <= Date.now()) tokens.delete(token);
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, Date.now() + ttlSeconds * 1000);
      return reply.send({ access_token: token, token_type: 'Bearer', expires_in: ttlSeconds });
    });

    const authorise = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if ((tokens.get(token) ?? 0) <= Date.now()) await reply.code(401).send({ error: 'invalid_token' });
    };
    const path = `${base}/prescriptions`;
    const operation = { operation: 'order', ...(test && { test }) };
    scope.post(path, { config: operation, preHandler: authorise }, (request, reply) => {
      const parsed = prescription.safeParse(request.body);
      if (!parsed.success) return reply.code(422).send({ error: fieldsText(parsed.error) });
      if (!articles.has('pharmacy_b', parsed.data.catalogId)) {
        return reply.code(422).send({ error: 'Unknown catalog item' });
      }
      return placeOrder(orders, { pharmacy: 'pharmacy_b', test }, request, reply, ({ orderId }) => ({
        tracking_id: orderId,
        status: 'received',
      }));
    });
    addOrderCalls(scope, path, orders, { pharmacy: 'pharmacy_b', test }, dialect, authorise);
  };

  return {
    target: 'pharmacy_b',
    prefixes: ['/pharmacy-b'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      addVariant(scope, '', false);
      addVariant(scope, '/test', true);
    },
    control: (scope) => {
      controlArticles(scope, articles, 'pharmacy_b', ['pharmacy_b']);
      controlStatements(
        scope,
        { orders, prices },
        'pharmacy_b',
        ['pharmacy_b'],
        ({ body }) => (body as { catalogId: string }).catalogId,
      );
      controlOrders(scope, orders, 'pharmacy_b', ['pharmacy_b'], {
        url: `${config.SANDBOX_ROUTER_URL}/rx/webhooks/pharmacy_b`,
        secret: config.SANDBOX_PHARMACY_B_WEBHOOK_SECRET,
        moved: (id, { status, trackingNumber, carrier }) => ({
          tracking_id: id,
          trackingnumber: trackingNumber,
          rxstatus: status,
          shippingcarrier: carrier,
        }),
        held: (id, hold) => ({ tracking_id: id, rxstatus: 'on-hold', ...heldFields(hold) }),
        released: (id, holdid) => ({ tracking_id: id, rxstatus: 'hold-released', holdid }),
      });
    },
  };
}

import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Ledger, now } from '../ledger.js';
import type { Outside, Party } from '../outside.js';
import { signatureFault } from '../signature.js';
import { fieldsText } from './pharmacy.js';

const text = z.string().min(1);
const optional = z.string().optional();
const shipment = z.object({
  reference: text,
  pharmacy: text,
  pharmacyOrderId: text,
  recipient: z.object({
    name: text,
    phone: text,
    line1: text,
    line2: optional,
    city: text,
    state: text,
    zip: text,
  }),
  kind: z.enum(['label', 'tracking']),
  trackingNumber: text.optional(),
  carrier: text.optional(),
});

interface Shipment {
  idempotencyKey: string;
  body: unknown;
  answer: { shipmentId: string; trackingNumber: string; carrier: string; labelUrl: string };
  at: string;
}

/** The shipping service: creates labels, or records a parcel with a given tracking number. */
export function createShipping(outside: Outside): Party {
  const { config } = outside;
  const byKey = new Map<string, Shipment>();
  const ledger = new Ledger<Shipment>(outside.ledgerFile('shipments'), (entry) =>
    byKey.set(entry.idempotencyKey, entry),
  );

  const refusal = (request: FastifyRequest): string | undefined => {
    if (request.headers['x-api-key'] !== config.SANDBOX_SHIPPING_API_KEY) return 'Invalid API key';
    return signatureFault(request, config.SANDBOX_SHIPPING_API_SECRET);
  };

  return {
    target: 'shipping',
    prefixes: ['/shipping'],
    errorBody: (_status, message) => ({ error: message }),
    routes: (scope) => {
      scope.post('/shipments', { config: { operation: 'create' } }, (request, reply) => {
        const refused = refusal(request);
        if (refused) return reply.code(401).send({ error: refused });
        const idempotencyKey = request.headers['idempotency-key'];
        if (typeof idempotencyKey !== 'string' || idempotencyKey === '') {
          return reply.code(400).send({ error: 'Idempotency-Key header is required' });
        }
        const parsed = shipment.safeParse(request.body);
        if (!parsed.success) return reply.code(422).send({ error: fieldsText(parsed.error) });

        const earlier = byKey.get(idempotencyKey);
        if (earlier) {
          if (isDeepStrictEqual(earlier.body, request.body)) return reply.code(201).send(earlier.answer);
          return reply.code(409).send({ error: 'Idempotency-Key was used with a different shipment' });
        }
        const shipmentId = `shp_${randomBytes(8).toString('hex')}`;
        const answer = {
          shipmentId,
          trackingNumber: parsed.data.trackingNumber ?? `1Z${randomBytes(8).toString('hex').toUpperCase()}`,
          carrier: parsed.data.carrier ?? 'ups',
          labelUrl: `${request.protocol}://${request.host}/shipping/labels/${shipmentId}`,
        };
        const made: Shipment = { idempotencyKey, body: request.body, answer, at: now() };
        ledger.append(made);
        byKey.set(idempotencyKey, made);
        return reply.code(201).send(answer);
      });
    },
    close: async () => ledger.close(),
  };
}

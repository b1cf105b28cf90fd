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

/** A label that nobody of ours asked for. */
const byHandForm = z.strictObject({
  reference: text,
  pharmacy: text,
  kind: z.enum(['label', 'tracking']),
  at: z.iso.datetime({ offset: true }).optional(),
});
const instant = z.iso.datetime({ offset: true }).transform((at) => new Date(at).toISOString());
const listQuery = z.object({
  from: instant.optional(),
  to: instant.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(100),
  cursor: optional,
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
  /** Oldest first. */
  const inOrder: { position: string; made: Shipment }[] = [];
  const keep = (made: Shipment) => {
    const position = positionOf(made);
    byKey.set(made.idempotencyKey, made);
    inOrder.splice(placeAfter(inOrder, position), 0, { position, made });
  };
  const ledger = new Ledger<Shipment>(outside.ledgerFile('shipments'), keep);

  const refusal = (request: FastifyRequest, signedBody?: string): string | undefined => {
    if (request.headers['x-api-key'] !== config.SANDBOX_SHIPPING_API_KEY) return 'Invalid API key';
    return signatureFault(request, config.SANDBOX_SHIPPING_API_SECRET, signedBody);
  };

  const make = (
    made: Pick<Shipment, 'body' | 'at'> & { idempotencyKey?: string },
    host: string,
    given: { trackingNumber?: string | undefined; carrier?: string | undefined } = {},
  ): Shipment => {
    const shipmentId = `shp_${randomBytes(8).toString('hex')}`;
    const answer = {
      shipmentId,
      trackingNumber: given.trackingNumber ?? `1Z${randomBytes(8).toString('hex').toUpperCase()}`,
      carrier: given.carrier ?? 'ups',
      labelUrl: `${host}/shipping/labels/${shipmentId}`,
    };
    const written: Shipment = { idempotencyKey: `by-hand:${shipmentId}`, ...made, answer };
    ledger.append(written);
    keep(written);
    return written;
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
        const host = `${request.protocol}://${request.host}`;
        const made = make({ idempotencyKey, body: request.body, at: now() }, host, parsed.data);
        return reply.code(201).send(made.answer);
      });

      scope.get('/shipments', { config: { operation: 'list' } }, (request, reply) => {
        const refused = refusal(request, '{}');
        if (refused) return reply.code(401).send({ error: refused });
        const query = listQuery.safeParse(request.query);
        if (!query.success) return reply.code(422).send({ error: fieldsText(query.error) });
        const { from = '', to, limit, cursor = '' } = query.data;
        const start = placeAfter(inOrder, from > cursor ? from : cursor);
        const end = to === undefined ? inOrder.length : placeAfter(inOrder, to);
        const page = inOrder.slice(start, Math.min(start + limit, end));
        return {
          shipments: page.map(({ made }) => shown(made)),
          nextCursor: start + limit < end ? page.at(-1)?.position : null,
        };
      });
    },
    control: (scope) => {
      scope.post('/shipping/shipments', (request) => {
        const { at = now(), ...body } = byHandForm.parse(request.body);
        const host = `${request.protocol}://${request.host}`;
        return { shipment: shown(make({ body, at: new Date(at).toISOString() }, host)) };
      });
    },
    close: async () => ledger.close(),
  };
}

/** Sorts by time; the id tells shipments of the same moment apart. */
const positionOf = ({ at, answer }: Shipment): string => `${at} ${answer.shipmentId}`;

/** Where the positions after this one begin. */
function placeAfter(inOrder: readonly { position: string }[], position: string): number {
  let [start, end] = [0, inOrder.length];
  while (start < end) {
    const middle = (start + end) >> 1;
    if ((inOrder[middle]?.position ?? '') > position) end = middle;
    else start = middle + 1;
  }
  return start;
}

function shown({ body, answer: { shipmentId, trackingNumber, carrier }, at: createdAt }: Shipment) {
  const { reference, kind } = body as Pick<z.infer<typeof shipment>, 'reference' | 'kind'>;
  return { shipmentId, reference, kind, trackingNumber, carrier, createdAt };
}

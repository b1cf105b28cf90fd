import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Outside, Party } from '../../outside.js';
import { chargeEndpoints } from './charges.js';
import { controlStripe } from './control.js';
import { couponEndpoints, seedCoupons } from './coupons.js';
import { customerEndpoints } from './customers.js';
import type { Endpoint } from './endpoint.js';
import { invalidForm, StripeFailure } from './errors.js';
import { newId } from './objects.js';
import { paymentIntentEndpoints } from './payment-intents.js';
import { refundEndpoints } from './refunds.js';
import { setupIntentEndpoints } from './setup-intents.js';
import { StripeStore } from './store.js';

const ENDPOINTS: Endpoint[] = [
  ...customerEndpoints,
  ...setupIntentEndpoints,
  ...paymentIntentEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...couponEndpoints,
];
const EXPANDABLE = ['customer', 'payment_method', 'latest_charge', 'charge', 'payment_intent'] as const;
const EXPANDED_KIND = {
  customer: 'customer',
  payment_method: 'payment_method',
  latest_charge: 'charge',
  charge: 'charge',
  payment_intent: 'payment_intent',
} as const;

/** Stripe: customers, cards, intents, charges, refunds and coupons, with its idempotency and declines. */
export function createStripe(outside: Outside): Party {
  const { config } = outside;
  const store = new StripeStore(outside.ledgerFile('stripe'));
  if (store.isNew) seedCoupons(store);

  const authorise = (request: FastifyRequest): void => {
    // Live and test mode have different keys and share the data.
    const { authorization = '' } = request.headers;
    if (
      authorization.replace(/^Bearer sk_live_/, 'Bearer sk_test_') ===
      `Bearer ${config.SANDBOX_STRIPE_SECRET_KEY}`
    )
      return;
    throw new StripeFailure(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
  };

  const run = (endpoint: Endpoint, id: string, { expand, ...form }: Record<string, unknown>): unknown => {
    const parsed = endpoint.form.safeParse(form);
    if (!parsed.success) throw invalidForm(form, parsed.error);
    return expanded(endpoint.run(store, parsed.data as never, id), expand);
  };

  const expanded = (answer: unknown, expand: unknown): unknown => {
    const paths = Array.isArray(expand) ? expand : [];
    const object = { ...(answer as Record<string, unknown>) };
    if (!paths.includes('applies_to')) delete object['applies_to'];
    for (const field of EXPANDABLE.filter((name) => paths.includes(name))) {
      const id = object[field];
      if (typeof id === 'string') object[field] = store.find(EXPANDED_KIND[field], id) ?? id;
    }
    return object;
  };

  const handle = (
    endpoint: Endpoint,
    request: FastifyRequest<{ Params: { id?: string } }>,
    reply: FastifyReply,
  ): FastifyReply => {
    void reply.header('request-id', newId('req'));
    const { id = '' } = request.params;
    const form = ((endpoint.method === 'POST' ? request.body : request.query) ?? {}) as Record<
      string,
      unknown
    >;
    const key = endpoint.method === 'POST' ? request.headers['idempotency-key'] : undefined;
    const asked = { operation: endpoint.operation, id, form };

    authorise(request);
    if (typeof key !== 'string') {
      try {
        return reply.send(run(endpoint, id, form));
      } finally {
        store.commit();
      }
    }
    const earlier = store.answerTo(key);
    if (earlier) {
      if (isDeepStrictEqual(earlier.asked, asked)) {
        return reply.code(earlier.status).header('idempotent-replayed', 'true').send(earlier.body);
      }
      throw new StripeFailure(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with.`,
      });
    }
    const answer = attempt(() => run(endpoint, id, form));
    // An invalid request does not use its key.
    store.commit(answer.status === 400 ? undefined : { key, asked, ...answer });
    return reply.code(answer.status).send(answer.body);
  };

  return {
    target: 'stripe',
    // Also at the root, for clients that take a host but no base path.
    prefixes: ['/stripe/v1', '/v1'],
    errorBody: (status, message) => ({
      error: {
        type: status >= 500 ? 'api_error' : 'invalid_request_error',
        message,
        ...(status === 429 && { code: 'rate_limit' }),
      },
    }),
    routes: (scope) => {
      scope.setErrorHandler((error, _request, reply) => {
        if (!(error instanceof StripeFailure)) throw error;
        return reply.code(error.status).send({ error: error.error });
      });
      for (const endpoint of ENDPOINTS) {
        scope.route<{ Params: { id?: string } }>({
          method: endpoint.method,
          url: endpoint.path,
          config: { operation: endpoint.operation },
          handler: (request, reply) => handle(endpoint, request, reply),
        });
      }
    },
    control: (scope) => controlStripe(scope, store, config),
    close: async () => store.close(),
  };
}

function attempt(call: () => unknown): { status: number; body: unknown } {
  try {
    return { status: 200, body: call() };
  } catch (failure) {
    if (!(failure instanceof StripeFailure)) throw failure;
    return { status: failure.status, body: { error: failure.error } };
  }
}

import fastifyCors from '@fastify/cors';
import type { ServiceRoutes } from '../context.js';
import { exposedErrorHeaders } from '../error-codes.js';
import { servePage } from '../pages.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { answersOf } from './answers.js';
import { deskRoutes } from './desk-routes.js';
import { operatorRoutes } from './operator-routes.js';
import { payRoutes } from './pay-routes.js';
import { paymentRoutes } from './payment-routes.js';
import { planRoutes } from './plan-routes.js';
import { submitRoutes } from './submit-routes.js';
import { verificationRoutes } from './verification-routes.js';

const exposedHeaders = [
  ...exposedErrorHeaders,
  'idempotent-replayed',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'x-request-id',
];

/** The intake gateway (page 2, Intake gateway). Public for browsers of the configured origins (D67). */
export const intakeRoutes: ServiceRoutes = async (app, context) => {
  const { INTAKE_ORIGINS, NODE_ENV, RATE_LIMIT_UNVERIFIED_PER_MINUTE } = context.config.service('intake');
  await app.register(fastifyCors, {
    origin: async (origin: string | undefined) => origin !== undefined && INTAKE_ORIGINS.includes(origin),
    methods: ['GET', 'POST', 'OPTIONS'],
    allowedHeaders: ['content-type', 'idempotency-key', 'x-request-id'],
    exposedHeaders,
    maxAge: 600,
    // Strict mode answers errors as text rather than JSON.
    strictPreflight: false,
  });
  rejectDeclaredLength(app);
  app.addHook('onRequest', limitPerAddress(app, RATE_LIMIT_UNVERIFIED_PER_MINUTE));

  planRoutes(app, context);
  verificationRoutes(app, context);
  paymentRoutes(app, context);
  payRoutes(app, context);
  await submitRoutes(app, context);
  await operatorRoutes(app, context);
  await deskRoutes(app, context);
  await registerWorkItemAnswers(app, context, {
    schema: 'intake',
    path: '/work-items',
    encryptionKeys: context.config.service('intake').SECRET_ENCRYPTION_KEYS,
    handlers: answersOf(context),
  });
  if (NODE_ENV === 'development') servePage(app, new URL('form.html', import.meta.url), 'the form');
};

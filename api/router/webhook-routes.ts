import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { applyPharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { pharmaciesOf, pharmacySystems, variablesOf } from '../../domain/pharmacies.js';
import { systems } from '../../integrations/pharmacies/registry.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import type { App, ServiceContext } from '../context.js';
import { callersHaveSecret } from '../plugins/anonymous.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { fieldErrors, notFound, unauthorized } from '../http-errors.js';

const received = z.object({ ok: z.literal(true) });

/** Webhooks of the pharmacies (page 1, Router endpoints; D25). The secret is verified before the body is read. */
export async function webhookRoutes(app: App, { config, sql }: ServiceContext): Promise<void> {
  const settings = config.service('router');
  const routes = pharmacySystems.map((system) => {
    const { webhookSecret, sandboxWebhookSecret } = variablesOf(system);
    const { [webhookSecret]: liveSecret, [sandboxWebhookSecret]: testSecret } = settings;
    return { system, url: `/rx/webhooks/${system}`, liveSecret, testSecret };
  });
  await app.register(async (instance) => {
    const scope = instance as App;
    callersHaveSecret(scope);
    const limitUnverified = countUnverified(scope, config);
    rejectDeclaredLength(scope);
    scope.addHook('onRequest', async (request, reply) => {
      const route = routes.find(({ url }) => url === request.routeOptions.url);
      if (hasSecret(route?.liveSecret, request) || hasSecret(route?.testSecret, request)) return;
      await limitUnverified(request, reply);
      throw unauthorized('Invalid webhook secret');
    });
    acceptBytes(scope);

    for (const { system, url, liveSecret, testSecret } of routes) {
      const { webhook } = systems[system];
      scope.post(
        url,
        {
          config: { access: { none: 'no admin and no key: a pharmacy; each webhook is stored as received' } },
          schema: {
            tags: ['Pharmacy webhooks'],
            security: [{ webhookSecret: [] }],
            summary: `Receive an order update from ${system}`,
            body: webhook.body,
            response: { 200: received, ...fieldErrors(400, 401, 404, 413, 415, 429, 500) },
          },
        },
        async (request) => {
          const { pharmacyOrderId, ...update } = webhook.read(request.body as never);
          const isKnown = await applyPharmacyUpdate(sql, {
            webhook: system,
            // A secret shared by live and test orders does not tell them apart.
            ...(testSecret !== undefined && { isTest: !hasSecret(liveSecret, request) }),
            // Several pharmacies can order through one system (D20).
            pharmacies: pharmaciesOf(system),
            pharmacyOrderIds: [pharmacyOrderId],
            ...update,
            body: request.rawBody.toString(),
          });
          if (!isKnown) throw notFound('Unknown order');
          return { ok: true as const };
        },
      );
    }
  });
}

const hasSecret = (secret: string | undefined, { headers }: FastifyRequest): boolean => {
  const { 'x-webhook-secret': given } = headers;
  return secret !== undefined && typeof given === 'string' && signatureMatches(secret, given);
};

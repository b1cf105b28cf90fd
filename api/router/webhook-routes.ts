import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { applyPharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { listWebhooks, logRefusedWebhook } from '../../db/router/webhook-log.js';
import { pharmaciesOf, pharmacySystems, variablesOf } from '../../domain/pharmacies.js';
import { systems } from '../../integrations/pharmacies/registry.js';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { text } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { callersHaveSecret } from '../plugins/anonymous.js';
import { decodeCursor, encodeCursor } from '../cursor.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { countUnverified } from '../plugins/rate-limit.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { acceptBytes } from '../plugins/strict-json.js';
import { fieldErrors, notFound, unauthorized } from '../http-errors.js';
import * as contract from './webhook-contract.js';

/** The log of the pharmacies' webhooks, for keys with the scope `admin` (D155). */
export function webhookLogRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/rx/webhooks',
    {
      config: { access: { action: 'webhook.list' } },
      preValidation: adminKeysOnly,
      schema: {
        tags: ['Pharmacy webhooks'],
        security: [{ signature: [] }],
        summary: 'List the webhooks of pharmacies, newest first',
        description:
          'Contains each webhook with a right secret, rejected ones too. A page with large bodies can end before `limit`.',
        querystring: contract.webhooksQuery,
        response: { 200: contract.webhookList, ...fieldErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, position)?.id;
      const { webhooks, hasMore } = await listWebhooks(sql, { ...filter, before, limit });
      const last = webhooks.at(-1);
      return { webhooks, nextCursor: hasMore && last ? encodeCursor({ id: last.id }) : null };
    },
  );
}

const position = z.object({ id: text(20).regex(/^\d{1,18}$/) });

const received = z.object({ ok: z.literal(true) });

/**
 * Webhooks of the pharmacies (page 1, Router endpoints; D25). The secret is verified before the body is read. Each
 * webhook with a right secret is logged: an accepted one with its effect, a rejected one with its error (D155).
 */
export async function webhookRoutes(app: App, { config, sql }: ServiceContext): Promise<void> {
  const settings = config.service('router');
  const routes = pharmacySystems.map((system) => {
    const { webhookSecret, sandboxWebhookSecret } = variablesOf(system);
    const { [webhookSecret]: liveSecret, [sandboxWebhookSecret]: testSecret } = settings;
    return { system, url: `/rx/webhooks/${system}`, liveSecret, testSecret };
  });
  /** The pharmacy's route, if the request has one of its secrets. */
  const trustedRoute = (request: FastifyRequest) =>
    routes.find(
      ({ url, liveSecret, testSecret }) =>
        url === request.routeOptions.url &&
        (hasSecret(liveSecret, request) || hasSecret(testSecret, request)),
    );

  await app.register(async (instance) => {
    const scope = instance as App;
    callersHaveSecret(scope);
    const limitUnverified = countUnverified(scope, config);
    // First, so that an error handler always finds the bytes, or none.
    acceptBytes(scope);
    rejectDeclaredLength(scope);
    scope.addHook('onRequest', async (request, reply) => {
      if (trustedRoute(request)) return;
      await limitUnverified(request, reply);
      throw unauthorized('Invalid webhook secret');
    });
    scope.setErrorHandler(async (error: Error & { statusCode?: number }, request) => {
      const route = trustedRoute(request);
      // A request can be rejected before its body is kept.
      const { rawBody: body = Buffer.alloc(0) } = request as Partial<FastifyRequest>;
      if (route) await logRefusedWebhook(sql, { webhook: route.system, body, ...refusalOf(error) });
      throw error;
    });

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

/** The status and text of an error; texts of validation errors quote nothing of the body. */
const refusalOf = ({ statusCode = 500, message }: Error & { statusCode?: number }) => ({
  status: statusCode,
  error: statusCode < 500 ? message.slice(0, maxErrorCharacters) : 'Internal error',
});
const maxErrorCharacters = 1_000;

const hasSecret = (secret: string | undefined, { headers }: FastifyRequest): boolean => {
  const { 'x-webhook-secret': given } = headers;
  return secret !== undefined && typeof given === 'string' && signatureMatches(secret, given);
};

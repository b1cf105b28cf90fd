import type { FastifyReply, FastifyRequest } from 'fastify';
import { insertUnsignedWebhook, insertWebhook, markSignatureValid } from '../../db/bridge/webhook-events.js';
import { dispatchWebhook } from '../../db/bridge/dispatch.js';
import { hmacHex, signatureMatches } from '../../platform/crypto/signature.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { normalizeWebhook } from '../../domain/bridge/emr-events.js';
import type { App, ServiceContext } from '../context.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { keepBytes, parseStrictJson } from '../plugins/strict-json.js';
import { codedErrors, HttpError, unauthorized } from '../http-errors.js';
import * as contract from './contract.js';

/**
 * Where the EMR reports (page 3, ingress; D81). The raw body is committed before anything but its signature is judged;
 * of one without a right signature so much is kept as D94 allows, and nothing once its sender's limit is used up. A
 * process that dies on the way has answered nothing, so the EMR sends again; the row it left stays as it is, not
 * dispatched.
 */
export async function ingressRoutes(app: App, context: ServiceContext): Promise<void> {
  const { sql, config, logger } = context;
  const { EMR_WEBHOOK_SECRET: secret, ID_HASH_SECRET: hashSecret } = config.service('bridge');

  await app.register(async (instance) => {
    const scope = instance as App;
    const refuseBeyondLimit = limitPerAddress(scope, config.RATE_LIMIT_UNVERIFIED_PER_MINUTE);
    keepBytes(scope);

    scope.post(
      '/webhooks/emr',
      {
        config: { access: { none: 'no admin and no key: the EMR; what it sends is logged as it came' } },
        schema: {
          tags: ['Ingress'],
          summary: 'Take a webhook of the EMR',
          description:
            'Signed by `X-EMR-Signature`: the lower-case hex HMAC-SHA256 of the raw body. The body is `{event: "<Resource>.<action>", timestamp, resource}`; its content type is not judged.',
          security: [{ emrSignature: [] }],
          response: {
            200: contract.webhookReceived,
            ...codedErrors(400, 401, 413, 429, 500),
          },
        },
      },
      async (request, reply) => {
        const { rawBody: raw } = request;
        const signature = signatureOf(request);
        if (signature === undefined || !signatureMatches(hmacHex(secret, raw), signature))
          return refuseSignature(request, reply);

        const received = await insertWebhook(sql, { rawBody: raw, signatureHeader: signature });
        const webhook = parseWebhook(raw);
        if (!webhook) {
          await markSignatureValid(sql, received.id);
          logger.warn(
            { webhookEventId: received.id, reason: 'malformed' },
            'an EMR webhook was not dispatched',
          );
          throw new HttpError(400, 'Malformed webhook');
        }
        const envelope = normalizeWebhook(webhook, {
          webhookEventId: received.id,
          receivedAt: received.receivedAt,
        });
        // No EMR id may show in the workflow ids that an aggregate's id becomes part of.
        const aggregateId = keyedHash(hashSecret, `${envelope.resourceType}/${envelope.resourceId}`);
        await dispatchWebhook(sql, envelope, aggregateId);
        return { ok: true as const, webhookEventId: received.id };
      },
    );

    async function refuseSignature(request: FastifyRequest, reply: FastifyReply): Promise<never> {
      await refuseBeyondLimit(request, reply);
      const webhookEventId = await insertUnsignedWebhook(sql, {
        rawBody: request.rawBody,
        signatureHeader: signatureOf(request) ?? null,
        // In a text, since a request that was broken off has no address any more.
        address: keyedHash(hashSecret, `webhook from ${request.ip}`),
      });
      logger.warn(
        { webhookEventId: webhookEventId ?? null, reason: 'invalid signature' },
        'an EMR webhook was not dispatched',
      );
      throw unauthorized('Invalid signature');
    }
  });
}

function signatureOf({ headers }: FastifyRequest): string | undefined {
  const { 'x-emr-signature': signature } = headers;
  return typeof signature === 'string' ? signature : undefined;
}

/** undefined for what is no webhook. */
function parseWebhook(raw: Buffer) {
  try {
    return contract.emrWebhook.safeParse(parseStrictJson(raw)).data;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

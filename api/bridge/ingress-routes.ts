import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  findFirstWebhook,
  insertUnsignedWebhook,
  insertWebhook,
  markSignatureValid,
} from '../../db/bridge/webhook-events.js';
import { dispatchWebhook } from '../../db/bridge/dispatch.js';
import { hmacHex, signatureMatches } from '../../platform/crypto/signature.js';
import { keyedHash } from '../../platform/crypto/ids.js';
import { networkOf } from '../../platform/http/network.js';
import { normalizeWebhook } from '../../domain/bridge/emr-events.js';
import type { App, ServiceContext } from '../context.js';
import { callersHaveSecret } from '../plugins/anonymous.js';
import { limitPerAddress } from '../plugins/rate-limit.js';
import { keepBytes, parseStrictJson } from '../plugins/strict-json.js';
import { codedErrors, HttpError, unauthorized } from '../http-errors.js';
import * as contract from './contract.js';

/**
 * Receives webhooks of the EMR (page 3, ingress; D81). A signed body is stored before it is parsed. D94 limits how
 * much of an unsigned one is stored, and nothing is stored above the sender's limit. If the process dies, the EMR
 * sends again. The same bytes are taken so often (D164); their timestamp is not judged, since an EMR may send late.
 */
export async function ingressRoutes(app: App, context: ServiceContext): Promise<void> {
  const { sql, config, logger } = context;
  const { EMR_WEBHOOK_SECRET: secret, ID_HASH_SECRET: hashSecret } = config.service('bridge');

  await app.register(async (instance) => {
    const scope = instance as App;
    callersHaveSecret(scope);
    const limitAddress = limitPerAddress(scope, config.RATE_LIMIT_UNVERIFIED_PER_MINUTE);
    keepBytes(scope);

    scope.post(
      '/webhooks/emr',
      {
        config: { access: { none: 'neither admin nor key: the EMR, whose webhooks are stored' } },
        schema: {
          tags: ['Ingress'],
          summary: 'Receive a webhook of the EMR',
          description:
            'Signed by `X-EMR-Signature`: the lower-case hex HMAC-SHA256 of the raw body. The body is `{event: "<Resource>.<action>", timestamp, resource}`; its content type does not matter.',
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
          return rejectSignature(request, reply);

        const received = await insertWebhook(sql, { rawBody: raw, signatureHeader: signature });
        const webhook = parseWebhook(raw);
        if (!webhook) {
          if (received) await markSignatureValid(sql, received.id);
          logger.warn(
            { webhookEventId: received?.id ?? null, reason: 'malformed' },
            'an EMR webhook was not dispatched',
          );
          throw new HttpError(400, 'Malformed webhook');
        }
        if (!received) {
          const first = await findFirstWebhook(sql, signature);
          if (!first) throw new Error('The rows of a repeated webhook are gone');
          return { ok: true as const, webhookEventId: first.id };
        }
        const envelope = normalizeWebhook(webhook, {
          webhookEventId: received.id,
          receivedAt: received.receivedAt,
        });
        // The aggregate id becomes part of workflow ids, which must not contain an EMR id.
        const aggregateId = keyedHash(hashSecret, `${envelope.resourceType}/${envelope.resourceId}`);
        await dispatchWebhook(sql, envelope, aggregateId);
        return { ok: true as const, webhookEventId: received.id };
      },
    );

    async function rejectSignature(request: FastifyRequest, reply: FastifyReply): Promise<never> {
      await limitAddress(request, reply);
      const webhookEventId = await insertUnsignedWebhook(sql, {
        rawBody: request.rawBody,
        signatureHeader: signatureOf(request) ?? null,
        // As text, because an aborted request has no address.
        address: keyedHash(hashSecret, `webhook from ${networkOf(request.ip)}`),
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

function parseWebhook(raw: Buffer) {
  try {
    return contract.emrWebhook.safeParse(parseStrictJson(raw)).data;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

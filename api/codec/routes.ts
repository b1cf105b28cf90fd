import type { FastifyRequest } from 'fastify';
import fastifyCors from '@fastify/cors';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { EncryptionCodec, workflowIdOf } from '../../platform/temporal/codec.js';
import type { Context, ServiceRoutes } from '../context.js';
import { exposedErrorHeaders } from '../error-codes.js';
import { createTokenCheck } from '../plugins/admin.js';
import { askOrganization } from '../plugins/admin-sessions.js';
import { callersHaveSecret } from '../plugins/anonymous.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { forbidden, HttpError, issueErrors, notFound } from '../http-errors.js';
import { fromWire, payloads, toWire, type WirePayload } from './contract.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller, for the audit line. */
    decodingActor: string;
  }
}

/** A caller can put any text into a payload's metadata; the access event stores only texts like these. */
const isStorable = /^\P{C}{1,1000}$/u;

/** Temporal allows payloads of 2 MiB, and its command line sends several in one request. */
const bodyLimitBytes = 16 * 1024 * 1024;

/**
 * Decodes payloads for authorized operators in the Web UI. There is no `/encode`, because it would allow forged
 * payloads. Each request writes one log line without any content.
 */
export const codecRoutes: ServiceRoutes<Context> = async (app, { config, logger }) => {
  const { ORGANIZATION_URL, CODEC_PATH_TOKEN, CODEC_ALLOWED_ORIGINS } = config.service('codec');
  // It receives no events, so it asks about every token.
  const admits = askOrganization({ baseUrl: ORGANIZATION_URL });
  const requireAdmin = createTokenCheck(app, config, admits);
  const codec = new EncryptionCodec(config.codecKeys('codec'), 'codec server');

  // Before the routes, because a preflight carries no token.
  await app.register(fastifyCors, {
    origin: async (origin: string | undefined) =>
      origin !== undefined && CODEC_ALLOWED_ORIGINS.includes(origin),
    methods: ['POST', 'OPTIONS'],
    allowedHeaders: ['content-type', 'x-namespace', 'authorization'],
    exposedHeaders: exposedErrorHeaders,
  });
  rejectDeclaredLength(app);
  callersHaveSecret(app);
  app.decorateRequest('decodingActor', '');
  const decoding = { access: { action: 'history.decode' } } as const;
  const answers = { body: payloads, response: { 200: payloads, ...issueErrors(400) } };

  app.post(
    '/decode',
    {
      bodyLimit: bodyLimitBytes,
      config: decoding,
      onRequest: async (request, reply) => {
        await requireAdmin(request, reply);
        if (!request.admin.isSuperadmin) throw forbidden();
        request.decodingActor = request.admin.sub;
      },
      schema: {
        ...answers,
        tags: ['Codec'],
        summary: 'Decode payloads (codec-server protocol of Temporal)',
        security: [{ adminToken: [] }],
        response: { ...answers.response, ...issueErrors(401, 403, 429, 503) },
      },
    },
    (request) => decode(request, request.body.payloads),
  );

  // The development server's Web UI cannot send a token, so its address contains a random part. The log names routes
  // by their pattern, so that part stays out of it.
  if (CODEC_PATH_TOKEN !== undefined)
    app.post(
      '/:pathToken/decode',
      {
        bodyLimit: bodyLimitBytes,
        config: decoding,
        onRequest: async (request) => {
          const { pathToken } = request.params as { pathToken: string };
          if (!signatureMatches(CODEC_PATH_TOKEN, pathToken)) throw notFound();
          request.decodingActor = 'development';
          request.accessed.actor = { actor: 'development', actorKind: 'system' };
        },
        schema: { ...answers, hide: true },
      },
      (request) => decode(request, request.body.payloads),
    );

  async function decode(request: FastifyRequest, encoded: WirePayload[]) {
    const received = encoded.map(fromWire);
    const runs = received
      .flatMap((payload) => workflowIdOf(payload) ?? [])
      .filter((id) => isStorable.test(id));
    request.accessed.records = [...new Set(runs)];
    const decoded = await codec.decode(received).catch(() => {
      throw new HttpError(400, 'Payload cannot be decoded');
    });
    const namespace = request.headers['x-namespace'];
    const audited = { actor: request.decodingActor, count: encoded.length };
    const isNamespace = typeof namespace === 'string' && /^[\w.-]{1,255}$/.test(namespace);
    logger.info({ ...audited, ...(isNamespace ? { namespace } : {}) }, 'payloads decoded');
    return { payloads: decoded.map(toWire) };
  }
};

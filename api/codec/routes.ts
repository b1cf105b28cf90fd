import fastifyCors from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import { signatureMatches } from '../../platform/crypto/signature.js';
import { EncryptionCodec, workflowIdOf } from '../../platform/temporal/codec.js';
import type { Context, ServiceRoutes } from '../context.js';
import { requireSuperadmin } from '../plugins/admin.js';
import { rejectDeclaredLength } from '../plugins/declared-length.js';
import { issueErrors, notFound, HttpError } from '../http-errors.js';
import { createSessionCheck } from './check-session.js';
import { fromWire, payloads, toWire, type WirePayload } from './contract.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asked, for the audit line. */
    decodingActor: string;
  }
}

/** Whoever asks may write into a payload's metadata what no run goes by. */
const isStorable = /^\P{C}{1,1000}$/u;

/** A payload may be 2 MiB in Temporal, and the command line sends several in one request. */
const bodyLimitBytes = 16 * 1024 * 1024;

/**
 * Shows an authorised operator in the Web UI what the payload codec hides. There is no `/encode`: nobody needs it,
 * and whoever had it could forge payloads. Every decode leaves one line in the log, without any of the content.
 */
export const codecRoutes: ServiceRoutes<Context> = async (app, { config, logger }) => {
  const { ADMIN_JWT_SECRET, ORGANIZATION_URL, CODEC_PATH_TOKEN, CODEC_ALLOWED_ORIGINS } =
    config.service('codec');
  const refuseEnded = createSessionCheck({ baseUrl: ORGANIZATION_URL });
  const codec = new EncryptionCodec(config.codecKeys('codec'), 'codec server');

  // Before the routes: a preflight carries no token and is answered without one.
  await app.register(fastifyCors, {
    origin: async (origin: string | undefined) =>
      origin !== undefined && CODEC_ALLOWED_ORIGINS.includes(origin),
    methods: ['POST', 'OPTIONS'],
    allowedHeaders: ['content-type', 'x-namespace', 'authorization'],
  });
  rejectDeclaredLength(app);
  app.decorateRequest('decodingActor', '');
  const decoding = { access: { action: 'history.decode' } } as const;
  const answers = { body: payloads, response: { 200: payloads, ...issueErrors(400) } };

  app.post(
    '/decode',
    {
      bodyLimit: bodyLimitBytes,
      config: decoding,
      onRequest: async (request) => {
        const { sub } = await requireSuperadmin(request, ADMIN_JWT_SECRET);
        await refuseEnded(request.headers.authorization ?? '');
        request.decodingActor = sub;
      },
      schema: {
        ...answers,
        tags: ['Codec'],
        summary: 'Decode payloads (codec-server protocol of Temporal)',
        security: [{ adminToken: [] }],
        response: { ...answers.response, ...issueErrors(401, 403, 503) },
      },
    },
    (request) => decode(request, request.body.payloads),
  );

  // The development server's Web UI can send no token; what it knows instead is a random part of the address. As a
  // parameter it stays out of the log, which names routes by their pattern.
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

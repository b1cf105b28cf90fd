import { readFileSync } from 'node:fs';
import type { ServerOptions } from 'node:http';
import Fastify, { type FastifyReply } from 'fastify';
import fastifyRateLimit from '@fastify/rate-limit';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Config } from '../platform/config.js';
import { httpRequestSeconds } from '../platform/metrics.js';
import { acceptRequestId, withRequestId } from '../platform/request-context.js';
import type { App, Context, Service } from './context.js';
import { installErrorHandler, sendError, standardError } from './errors.js';
import { noteAccess } from './plugins/access.js';
import { requireLimitsForAnybody } from './plugins/anonymous.js';
import { answerClientError } from './plugins/client-errors.js';
import { limitConnections } from './plugins/connections.js';
import { registerDocs } from './plugins/docs.js';
import { registerHealth } from './plugins/health.js';
import { rejectOtherMethods } from './plugins/methods.js';
import { setResponseHeaders } from './plugins/response-headers.js';
import { stopInSteps } from './plugins/stopping.js';
import { acceptStrictJson } from './plugins/strict-json.js';
import { traceRequests, underSpanOf } from './plugins/tracing.js';

const bodyLimitBytes = 1024 * 1024;
/** How long a client may take to send a request and its headers (D95), checked every second. */
const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;
const timeoutCheckMs = 1_000;
/** The framework's default of 10 seconds is too short on a busy machine. */
const pluginTimeoutMs = 120_000;
const maxConnections = 5_000;
const maxConnectionsPerAddress = 1_000;
/** A gateway on this machine need not be listed. */
const thisMachine = ['127.0.0.0/8', '::1'];

/** Creates the HTTP server of one service with everything that all services share, and its routes. */
export async function createApp<C extends Context>(service: Service<C>, context: C): Promise<App> {
  const app = Fastify({
    bodyLimit: bodyLimitBytes,
    pluginTimeout: pluginTimeoutMs,
    requestTimeout: requestTimeoutMs,
    ...serverOptions(context.config),
    // With true, a client could choose the address for rate limits and the audit by sending X-Forwarded-For.
    trustProxy: context.config.TRUSTED_PROXIES.length > 0 && context.config.TRUSTED_PROXIES,
    requestIdHeader: false,
    genReqId: (request) => acceptRequestId(request.headers['x-request-id']),
    return503OnClosing: false,
    clientErrorHandler: answerClientError,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024 },
    // A malformed URL does not reach the error handler, and the framework's own response would repeat it.
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      void sendError(reply, service.errorShape, standardError(400)),
    // Set here because otherwise the framework loads its own, unused compilers.
    schemaController: {
      compilersFactory: {
        buildValidator: (() => validatorCompiler) as never,
        buildSerializer: (() => serializerCompiler) as never,
      },
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.server.maxConnections = maxConnections;
  limitConnections(app.server, maxConnectionsPerAddress, [...thisMachine, ...context.config.TRUSTED_PROXIES]);
  installRequestId(app);
  traceRequests(app, service.healthName);
  stopInSteps(app);
  setResponseHeaders(app, context.config);
  logRequests(app, service, context);
  installErrorHandler(app, service.errorShape, context.logger);
  rejectUnusable(app);
  rejectOtherMethods(app);
  acceptStrictJson(app);
  await app.register(fastifyRateLimit, { global: false });
  await registerDocs(app, service, context.config);
  registerHealth(app, service, context);
  noteAccess(app, context);
  requireLimitsForAnybody(app);
  await app.register(async (scope) => service.routes(scope as App, context));
  await app.ready();
  return app;
}

/** The APIs serve TLS themselves where they have a certificate, and HTTP otherwise (D89). */
function serverOptions({ TLS_CERT_PATH: cert, TLS_KEY_PATH: key }: Config): { http: ServerOptions } {
  const timeouts = { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: timeoutCheckMs };
  if (cert === undefined || key === undefined) return { http: timeouts };
  const https = { ...timeouts, cert: readFileSync(cert), key: readFileSync(key) };
  // One type of app serves both.
  return { https } as unknown as { http: ServerOptions };
}

/** Reading a body loses the async context, so the request id is set again after it. */
function installRequestId(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    withRequestId(request.id, done);
  });
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, done));
}

/** Only our log shows this status. */
const clientClosedRequest = 499;

/**
 * Rejects a request whose client already disconnected, because its address is unknown. Rejects a NUL in a URL, since
 * Postgres cannot store it (reliability point 6), and a second `Host` (RFC 9112).
 */
function rejectUnusable(app: App): void {
  app.addHook('onRequest', ({ url, raw, socket }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
    if (socket.remoteAddress === undefined) done(standardError(clientClosedRequest));
    else if (url.includes('%00') || hosts.length > 1) done(standardError(400));
    else done();
  });
}

/** Logs the route's pattern, because the URL can contain personal data. */
function logRequests<C extends Context>(app: App, service: Service<C>, { logger }: C): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const { statusCode, elapsedTime } = reply;
    // One label for all unknown paths and methods keeps the number of time series bounded.
    const route = routeOptions.url ?? 'unknown';
    const labels = { service: service.healthName, route, status: statusCode };
    const methodLabel = routeOptions.url === undefined ? 'any' : method;
    httpRequestSeconds.observe({ ...labels, method: methodLabel }, elapsedTime / 1_000);
    const line = { method, route, statusCode, durationMs: Math.round(elapsedTime) };
    underSpanOf(request, () => withRequestId(request.id, () => logger.info(line, 'request')));
  });
}

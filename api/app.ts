import Fastify, { type FastifyReply } from 'fastify';
import fastifyRateLimit from '@fastify/rate-limit';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { httpRequestSeconds } from '../platform/metrics.js';
import { acceptRequestId, withRequestId } from '../platform/request-context.js';
import type { App, Context, Service } from './context.js';
import { answer, frameworkRefused, installErrorHandler } from './errors.js';
import { noteAccess } from './plugins/access.js';
import { registerDocs } from './plugins/docs.js';
import { registerHealth } from './plugins/health.js';
import { rejectOtherMethods } from './plugins/methods.js';
import { setResponseHeaders } from './plugins/response-headers.js';
import { stopInSteps } from './plugins/stopping.js';
import { acceptStrictJson } from './plugins/strict-json.js';
import { traceRequests, underSpanOf } from './plugins/tracing.js';

const bodyLimitBytes = 1024 * 1024;
/** How long a client may take to send a request, and its headers (D95); looked at every second. */
const requestTimeoutMs = 30_000;
const headersTimeoutMs = 10_000;
const timeoutCheckMs = 1_000;
/** How long a plugin may take to load: on a busy machine the framework's own ten seconds end a start that only needed more time. */
const pluginTimeoutMs = 120_000;
/** Of one service. What every one of them may hold up is bounded by the times above. */
const maxConnections = 5_000;

/** One service: request ids, one log line per request, strict JSON, one error handler, health, docs, its routes. */
export async function createApp<C extends Context>(service: Service<C>, context: C): Promise<App> {
  const app = Fastify({
    bodyLimit: bodyLimitBytes,
    pluginTimeout: pluginTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: timeoutCheckMs },
    // False: whoever sends X-Forwarded-For could choose the address that limits count and the audit keeps.
    trustProxy: context.config.TRUSTED_PROXIES.length > 0 && context.config.TRUSTED_PROXIES,
    requestIdHeader: false,
    genReqId: (request) => acceptRequestId(request.headers['x-request-id']),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 1024 },
    // An address that cannot be read reaches no error handler, and the framework's own answer would repeat it.
    frameworkErrors: (_error, _request, reply: FastifyReply) =>
      void answer(reply, service.errorShape, frameworkRefused(400)),
    // Set here, not on the instance: without them the framework loads a validator and a serializer that nobody uses.
    schemaController: {
      compilersFactory: {
        buildValidator: (() => validatorCompiler) as never,
        buildSerializer: (() => serializerCompiler) as never,
      },
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.server.maxConnections = maxConnections;
  carryRequestId(app);
  traceRequests(app, service.healthName);
  stopInSteps(app);
  setResponseHeaders(app, context.config);
  logRequests(app, service, context);
  installErrorHandler(app, service.errorShape, context.logger);
  endHungUp(app);
  refuseAmbiguous(app);
  rejectOtherMethods(app);
  acceptStrictJson(app);
  await app.register(fastifyRateLimit, { global: false });
  await registerDocs(app, service, context.config);
  registerHealth(app, service, context);
  noteAccess(app, context);
  await app.register(async (scope) => service.routes(scope as App, context));
  await app.ready();
  return app;
}

/** Entered twice: a body arrives in the socket's own context, so what was entered before it is lost. */
function carryRequestId(app: App): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    withRequestId(request.id, done);
  });
  app.addHook('preValidation', (request, _reply, done) => withRequestId(request.id, done));
}

/** Of a client that closed the connection before its request was looked at; nobody reads the answer, only our log. */
const clientClosedRequest = 499;

/**
 * Ends the request of a client that has hung up already: it has no address, which limits and the audit need. Whoever
 * hangs up later keeps the address that is read here.
 */
function endHungUp(app: App): void {
  app.addHook('onRequest', ({ socket }, _reply, done) => {
    if (socket.remoteAddress === undefined) done(frameworkRefused(clientClosedRequest));
    else done();
  });
}

/**
 * Refuses what reads in two ways: a NUL in a path or query, which is nobody's id and no text that the database could
 * look for (reliability point 6), and a second `Host` (RFC 9112).
 */
function refuseAmbiguous(app: App): void {
  app.addHook('onRequest', ({ url, raw }, _reply, done) => {
    const hosts = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host');
    if (url.includes('%00') || hosts.length > 1) done(frameworkRefused(400));
    else done();
  });
}

/** The route's pattern, never the URL, which may carry what a log must not. */
function logRequests<C extends Context>(app: App, service: Service<C>, { logger }: C): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const { statusCode, elapsedTime } = reply;
    // A path that is nobody's is one label, whatever it says; so is a method.
    const route = routeOptions.url ?? 'unknown';
    const labels = { service: service.healthName, route, status: statusCode };
    httpRequestSeconds.observe(
      { ...labels, method: routeOptions.url === undefined ? 'any' : method },
      elapsedTime / 1_000,
    );
    const line = { method, route, statusCode, durationMs: Math.round(elapsedTime) };
    underSpanOf(request, () => withRequestId(request.id, () => logger.info(line, 'request')));
  });
}

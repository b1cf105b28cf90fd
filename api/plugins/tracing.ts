import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { beginSpan, isTracing, underSpan } from '../../platform/tracing.js';
import type { App } from '../context.js';

const spans = new WeakMap<object, Span>();

/** Runs what is done for a request under its span, where its own context is lost. */
export function underSpanOf<T>(request: object, fn: () => T): T {
  const span = spans.get(request);
  return span ? underSpan(span, fn) : fn();
}

/**
 * Each request is a span that goes on from the caller's `traceparent`, by the pattern of its route: never the URL, which
 * may carry what a trace must not. Entered twice, as the request id is. Nothing is added while tracing is off.
 */
export function traceRequests(app: App, service: string): void {
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    const { traceparent } = request.headers;
    // Who asks whether we live is no part of any story.
    const span =
      route === undefined || /(health|ready)$/.test(route)
        ? undefined
        : beginSpan(`${request.method} ${route}`, {
            kind: 'server',
            parent: typeof traceparent === 'string' ? traceparent : '',
            attributes: {
              'scriptrail.service': service,
              'http.request.method': request.method,
              'http.route': route,
            },
          });
    if (span) spans.set(request, span);
    underSpanOf(request, done);
  });
  app.addHook('preValidation', (request, _reply, done) => underSpanOf(request, done));
  app.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });
}

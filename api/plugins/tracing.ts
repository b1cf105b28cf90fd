import { type Span, SpanStatusCode } from '@opentelemetry/api';
import { beginSpan, isTracing, underSpan } from '../../platform/tracing.js';
import type { App } from '../context.js';

const spans = new WeakMap<object, Span>();

/** Runs `fn` in the span of a request, where the async context is lost. */
export function underSpanOf<T>(request: object, fn: () => T): T {
  const span = spans.get(request);
  return span ? underSpan(span, fn) : fn();
}

/**
 * Creates a span for each request as a child of the caller's `traceparent`. Its name is the route's pattern, because the
 * URL can contain personal data. Reading the body loses the context, so the span is entered again after it.
 */
export function traceRequests(app: App, service: string): void {
  if (!isTracing()) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    const { traceparent } = request.headers;
    // Health checks get no span.
    if (route === undefined || /(health|ready)$/.test(route)) {
      done();
      return;
    }
    const span = beginSpan(`${request.method} ${route}`, {
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

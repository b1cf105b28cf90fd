import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { version } from './version.js';

/**
 * OpenTelemetry traces, from the caller's `traceparent` through services and workflows to each outbound call. Names
 * and attributes come from closed lists, errors appear by type: nothing about a patient. Off until `startTracing` is
 * called. A run has no span of its own and hands on `traceparent`, a header that replay does not compare. The SDK's
 * interceptors would add spans in each workflow thread, with error texts that may quote a request.
 */
let tracer: Tracer | undefined;
const storage = new AsyncLocalStorage<Span>();

export const isTracing = (): boolean => tracer !== undefined;

/**
 * Sends spans over OTLP/HTTP.
 * @param endpoint the collector's, without `/v1/traces`
 * @param share sampling ratio of traces that start here; a caller's trace follows the caller's flag
 * @returns a function that flushes and stops
 */
export async function startTracing(endpoint: string, share: number): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'scriptrail', 'service.version': version }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  tracer = provider.getTracer('scriptrail');
  return async () => {
    tracer = undefined;
    // Do not wait for a collector that is down.
    await provider.shutdown().catch(() => undefined);
  };
}

interface Begun {
  kind: 'server' | 'client' | 'internal';
  attributes?: Attributes;
  /** The current span by default. A `traceparent` continues that trace; an invalid one starts a trace. */
  parent?: string | undefined;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * Starts a span, which the caller ends.
 * @returns undefined if tracing is off, or if there is neither a `parent` nor a current span
 */
export function beginSpan(name: string, { kind, attributes = {}, parent }: Begun): Span | undefined {
  if (!tracer) return undefined;
  const underWay = storage.getStore();
  if (parent === undefined && !underWay) return undefined;
  const from = parent === undefined ? underWay?.spanContext() : readTraceparent(parent);
  const context = from ? trace.setSpanContext(ROOT_CONTEXT, from) : ROOT_CONTEXT;
  return tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
}

/** Runs `fn` under a span that the caller ends. */
export const underSpan = <T>(span: Span, fn: () => T): T => storage.run(span, fn);

/** Does the work under its own span, which records the type of an error. */
export async function inSpan<T>(name: string, begun: Begun, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(name, begun);
  if (!span) return work();
  try {
    return await storage.run(span, work);
  } catch (error) {
    // Not the message, which may quote patient data.
    const { type, name: className } = error as { type?: unknown; name?: unknown };
    const word = [type, className].find((one) => typeof one === 'string');
    span.setAttribute('error.type', word ?? 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

export const currentTraceId = (): string | undefined => storage.getStore()?.spanContext().traceId;

/** The header of an outbound call (W3C Trace Context). */
export function currentTraceparent(): string | undefined {
  const span = storage.getStore()?.spanContext();
  return span && `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`;
}

const shape = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** @returns undefined if the text is invalid */
function readTraceparent(text: string) {
  const [, traceId = '', spanId = '', flags = ''] = shape.exec(text) ?? [];
  if (text.startsWith('ff') || /^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

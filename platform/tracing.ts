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

/**
 * Traces (OpenTelemetry): one from the caller's `traceparent` through our services and runs to each call outside. A span
 * has a name and attributes of closed lists, and of an error its type: no text of anybody's, nothing of a patient.
 *
 * Off unless `startTracing` was called, and then nothing here does anything or is loaded but this file.
 */
let tracer: Tracer | undefined;
const storage = new AsyncLocalStorage<Span>();

export const isTracing = (): boolean => tracer !== undefined;

/**
 * Sends spans over OTLP/HTTP from now on.
 * @param endpoint the collector's, without `/v1/traces`
 * @param share of the traces that begin with us; those that a caller began go by the caller's own flag
 * @returns sends what is left, and ends
 */
export async function startTracing(endpoint: string, share: number): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'scriptrail' }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  tracer = provider.getTracer('scriptrail');
  return async () => {
    tracer = undefined;
    // What cannot be sent is lost: nobody waits for a collector that is away.
    await provider.shutdown().catch(() => undefined);
  };
}

interface Begun {
  kind: 'server' | 'client' | 'internal';
  /** Of closed lists, or ids of ours. */
  attributes?: Attributes;
  /** Where it goes on from: the span that is under way, unless a `traceparent` is given; one that is none begins a trace. */
  parent?: string | undefined;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * Begins a span, which whoever began it ends. A trace begins with a request: where none is under way, work that gives no
 * `parent` has no span.
 * @returns undefined too while tracing is off
 */
export function beginSpan(name: string, { kind, attributes = {}, parent }: Begun): Span | undefined {
  if (!tracer) return undefined;
  const underWay = storage.getStore();
  if (parent === undefined && !underWay) return undefined;
  const from = parent === undefined ? underWay?.spanContext() : readTraceparent(parent);
  const context = from ? trace.setSpanContext(ROOT_CONTEXT, from) : ROOT_CONTEXT;
  return tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
}

/** Runs `fn` under a span that somebody else ends. */
export const underSpan = <T>(span: Span, fn: () => T): T => storage.run(span, fn);

/** Does the work under a span of its own, which tells whether it failed, and by which type of error. */
export async function inSpan<T>(name: string, begun: Begun, work: () => Promise<T>): Promise<T> {
  const span = beginSpan(name, begun);
  if (!span) return work();
  try {
    return await storage.run(span, work);
  } catch (error) {
    // The message may say what was sent.
    const { type, name: className } = error as { type?: unknown; name?: unknown };
    const word = [type, className].find((one) => typeof one === 'string');
    span.setAttribute('error.type', word ?? 'unknown');
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** Of the span that is under way, as it stands in logs and memos; undefined where there is none. */
export const currentTraceId = (): string | undefined => storage.getStore()?.spanContext().traceId;

/** What a call hands on (W3C Trace Context); undefined where no span is under way. */
export function currentTraceparent(): string | undefined {
  const span = storage.getStore()?.spanContext();
  return span && `00-${span.traceId}-${span.spanId}-0${span.traceFlags & 1}`;
}

const shape = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

/** @returns undefined for what is no `traceparent`: the trace then begins with us */
function readTraceparent(text: string) {
  const [, traceId = '', spanId = '', flags = ''] = shape.exec(text) ?? [];
  if (text.startsWith('ff') || /^0*$/.test(traceId) || /^0*$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request as send } from 'undici';
import { retriedStatuses } from '../../domain/http-status.js';
import type { z } from 'zod';
import { currentRequestId } from '../request-context.js';
import { currentTraceparent, inSpan } from '../tracing.js';
import { noteCall, type OnCall } from './call-log.js';

const agent = new Agent({ connections: 64, keepAliveTimeout: 10_000 });

export type OutboundFault =
  | { kind: 'timeout'; timeoutMs: number }
  | { kind: 'network'; code: string }
  | { kind: 'malformed' }
  | { kind: 'status'; status: number; retryAfterMs?: number; body: string };

/** A call without a usable response. The message names only the service and the fault, so it may be logged and shown. */
export class OutboundError extends Error {
  override name = 'OutboundError';
  readonly safeToLog = true;
  constructor(
    readonly party: string,
    readonly fault: OutboundFault,
  ) {
    super(describe(party, fault));
  }

  /** True if a retry is useless (D34): the service rejected the call, or its answer is unreadable. */
  get isFinal(): boolean {
    const { fault } = this;
    if (fault.kind === 'status') return fault.status < 500 && !retriedStatuses.includes(fault.status);
    return fault.kind === 'malformed';
  }
}

function describe(party: string, fault: OutboundFault): string {
  switch (fault.kind) {
    case 'timeout':
      return `${party} did not answer within ${fault.timeoutMs / 1000} s`;
    case 'network':
      return `${party} could not be reached (${fault.code})`;
    case 'malformed':
      return `${party} sent an answer of an unexpected shape`;
    case 'status':
      return `${party} answered ${fault.status}`;
  }
}

export interface OutboundRequest extends CallLimits {
  /** Name of the called service for error texts. */
  party: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Kind of the resource, for the log of calls; never an id. */
  resource?: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  onCall?: OnCall | undefined;
}

/** The limits of one exchange, body included. */
export interface CallLimits {
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

export interface OutboundResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

const maxResponseBytes = 5 * 1024 * 1024;

/** One HTTP exchange without retries or redirects. Returns every status. @throws OutboundError of kind timeout or network */
export async function exchange(request: OutboundRequest): Promise<OutboundResponse> {
  const { party, method, resource = '', onCall } = request;
  const startedMs = Date.now();
  const note = (status: number | null, error: string | null) =>
    noteCall({ party, method, resource, status, error, durationMs: Date.now() - startedMs }, onCall);
  try {
    const response = await inSpan(spanName(request), { kind: 'client' }, () => exchangeOnce(request));
    note(response.status, null);
    return response;
  } catch (error) {
    note(null, error instanceof OutboundError ? error.message : 'failed');
    throw error;
  }
}

const spanName = ({ party, method, resource }: OutboundRequest): string =>
  [party, method, resource].filter(Boolean).join(' ');

async function exchangeOnce(request: OutboundRequest): Promise<OutboundResponse> {
  const { party, method, url, headers, body, timeoutMs, signal } = request;
  const requestId = currentRequestId();
  const traceparent = currentTraceparent();
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    // fetch takes three times the CPU time.
    const response = await send(url, {
      method,
      dispatcher: agent,
      headers: {
        ...headers,
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      ...(body === undefined ? {} : { body }),
    });
    // arrayBuffer() would hold an oversized body whole.
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxResponseBytes) throw new OutboundError(party, { kind: 'malformed' });
      chunks.push(chunk);
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      body: Buffer.concat(chunks).toString(),
    };
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    // The caller's signal may be a timeout for several calls.
    if (timeout.aborted || (error as Error).name === 'TimeoutError')
      throw new OutboundError(party, { kind: 'timeout', timeoutMs });
    throw new OutboundError(party, { kind: 'network', code: networkCode(error) });
  }
}

/** @throws OutboundError unless the status is 2xx */
export function expectOk(party: string, response: OutboundResponse): OutboundResponse {
  const { status, body } = response;
  if (status >= 200 && status < 300) return response;
  const retryAfterMs = parseRetryAfter(response.headers['retry-after'] ?? null);
  throw new OutboundError(party, {
    kind: 'status',
    status,
    body,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** @throws OutboundError of kind malformed if the body is not JSON */
export function parseJson(party: string, response: OutboundResponse): unknown {
  try {
    return JSON.parse(response.body);
  } catch {
    throw new OutboundError(party, { kind: 'malformed' });
  }
}

/** The body of a 2xx response in this shape. @throws OutboundError otherwise */
export function parseAnswer<T>(party: string, response: OutboundResponse, shape: z.ZodType<T>): T {
  const parsed = shape.safeParse(parseJson(party, expectOk(party, response)));
  if (!parsed.success) throw new OutboundError(party, { kind: 'malformed' });
  return parsed.data;
}

/** `Retry-After` in seconds or as a date (RFC 9110), in milliseconds from now. */
function parseRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,6}$/.test(value)) return Number(value) * 1000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

export function networkCode(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  const { code, name } = error as { code?: unknown; name?: unknown };
  for (const candidate of [cause?.code, code, name])
    if (typeof candidate === 'string' && candidate !== '') return candidate;
  return 'unknown';
}

import type {
  EntryOf,
  FailureOf,
  ListPathOf,
  Method,
  PathOf,
  RequestOf,
  ServiceName,
  Success,
} from './contracts.js';
import { NoAnswer, Refusal } from './errors.js';
import { isKnownByItsBytes, isRepeatable, pauseMs } from './repeat.js';
import { type ApiKey, signedHeaders } from './sign.js';

export interface ClientOptions {
  /** The address of the service, such as `https://orchestrator.example.com`. */
  baseUrl: string;
  /** The key, for services with signed requests: router, orchestrator, registry, notification. */
  key?: ApiKey;
  /** The token, or a function that returns one for each call, for services for admins. */
  token?: string | (() => string | Promise<string>);
  /** Timeout of one attempt in milliseconds; default 130,000, because an approval answers within two minutes. */
  timeoutMs?: number;
  /** Attempts of a call that may be repeated: 4 by default; 1 disables retries. */
  attempts?: number;
}

export interface CallOptions {
  /** The request id, random by default. The answer returns it, and the service logs it. */
  requestId?: string;
  /** The idempotency key, random by default. Repeated calls with the same key are one request. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A service accepts a signature for five minutes; the difference is for clocks and the way there. */
const signatureLastsMs = 240_000;

/** Signs or authorizes requests, waits, retries and reads answers. The service's OpenAPI page types each call. */
export class ServiceClient<S extends ServiceName> {
  readonly #options: ClientOptions & { timeoutMs: number; attempts: number };

  constructor(
    readonly service: S,
    options: ClientOptions,
  ) {
    this.#options = { timeoutMs: 130_000, attempts: 4, ...options };
  }

  /**
   * Calls an operation by method and path, with the path's parameters in `path`.
   * @returns the answer, discriminated by `status`
   * @throws Refusal for an error of the service
   * @throws NoAnswer if there is no response
   */
  async call<M extends Method, P extends PathOf<S, M>>(
    method: M,
    path: P,
    ...[request, options = {}]: object extends RequestOf<S, M, P>
      ? [request?: RequestOf<S, M, P>, options?: CallOptions]
      : [request: RequestOf<S, M, P>, options?: CallOptions]
  ): Promise<Success<S, M, P>> {
    const parts = (request ?? {}) as Parts;
    const target = pathWith(path, parts.path ?? {}) + queryOf(parts.query ?? {});
    const body = parts.body === undefined ? '' : JSON.stringify(parts.body);
    const answer = await this.send(method, target, body, options);
    if (answer.status < 300) return answer as unknown as Success<S, M, P>;
    throw this.refusalOf(answer);
  }

  protected refusalOf({ status, body, ...about }: RawAnswer): Refusal<S> {
    return new Refusal(this.service, { status, body } as FailureOf<S>, about);
  }

  /** Iterates over a list and fetches each page when needed. @throws as `call` */
  async *list<P extends ListPathOf<S>>(
    path: P,
    request: Omit<RequestOf<S, 'GET', P>, 'body'>,
    options: CallOptions = {},
  ): AsyncGenerator<EntryOf<S, P>, void, undefined> {
    const parts = request as Parts;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { ...parts.query, ...(cursor === undefined ? {} : { cursor }) };
      const answer = await this.call('GET', path as never, { ...parts, query } as never, options);
      const page = (answer as { body: { nextCursor: string | null } }).body;
      const entries = Object.values(page).find(Array.isArray) as EntryOf<S, P>[] | undefined;
      yield* entries ?? [];
      cursor = page.nextCursor;
    }
  }

  /**
   * Sends any request, signed and retried like `call`, for paths without types.
   * @param path with the query
   * @param body the exact text; '' for none
   * @returns any response, errors included
   * @throws NoAnswer
   */
  async send(method: Method, path: string, body = '', options: CallOptions = {}): Promise<RawAnswer> {
    const { attempts, key } = this.#options;
    const url = new URL(this.#options.baseUrl.replace(/\/$/, '') + path);
    const requestId = options.requestId ?? crypto.randomUUID();
    const fixed: Record<string, string> = {
      'x-request-id': requestId,
      ...(body === '' ? {} : { 'content-type': 'application/json' }),
      ...(method === 'POST' ? { 'idempotency-key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
      ...options.headers,
    };
    const toSign = { method, path: url.pathname + url.search, body };
    const isSame = isRepeatable(method, url.pathname, key?.signatureVersion);
    // Repeated with the same signature, while the service accepts that; any other request is signed anew.
    const isFixed = isKnownByItsBytes(method, url.pathname, key?.signatureVersion);
    const repeatUntil = isFixed ? Date.now() + signatureLastsMs : Number.POSITIVE_INFINITY;
    const once = isFixed ? await this.#credentials(toSign) : undefined;
    for (let attempt = 1; ; attempt += 1) {
      const headers = { ...fixed, ...(once ?? (await this.#credentials(toSign))) };
      let cause: unknown;
      const answer = await this.#attempt(url, { method, body, headers, signal: options.signal }).catch(
        (error: unknown) => {
          if (options.signal?.aborted) throw error;
          cause = error;
          return undefined;
        },
      );
      const pause = pauseMs(attempt, answer, isSame);
      const isLast = pause === undefined || attempt >= attempts || Date.now() + pause > repeatUntil;
      if (isLast && answer) return { ...answer, requestId };
      if (isLast) throw new NoAnswer(this.service, requestId, { cause });
      await sleep(pause, options.signal);
    }
  }

  async #credentials(toSign: Parameters<typeof signedHeaders>[1]): Promise<Record<string, string>> {
    const { key, token } = this.#options;
    if (key) return signedHeaders(key, toSign);
    if (token === undefined) return {};
    return { authorization: `Bearer ${typeof token === 'string' ? token : await token()}` };
  }

  async #attempt(
    url: URL,
    {
      method,
      body,
      headers,
      signal,
    }: { method: string; body: string; headers: Record<string, string>; signal?: AbortSignal | undefined },
  ) {
    const timeout = AbortSignal.timeout(this.#options.timeoutMs);
    const response = await fetch(url, {
      method,
      headers,
      ...(body === '' ? {} : { body }),
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      headers: response.headers,
      body: parsed(text),
      ...(Number.isFinite(retryAfter) ? { retryAfterSeconds: retryAfter } : {}),
      code: response.headers.get('error-code') ?? undefined,
      retryable: response.headers.get('error-retryable') === 'true',
    };
  }
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  /** Parsed if it is JSON, otherwise the text. */
  body: unknown;
  requestId: string;
  retryAfterSeconds?: number;
  /** The code of an error (`docs/errors.md`). */
  code: string | undefined;
  /** A later repeat of the same request can succeed. */
  retryable: boolean;
}

interface Parts {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** @throws TypeError for `.` and `..`, which a URL takes as another path, and for an empty value */
const pathWith = (path: string, parameters: Record<string, unknown>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const given = parameters[name];
    const value = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
    if (['', '.', '..'].includes(value)) throw new TypeError(`${name} cannot be part of a path`);
    return encodeURIComponent(value);
  });

function queryOf(query: Record<string, unknown>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  if (given.length === 0) return '';
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)] as [string, string])).toString()}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** @throws the signal's reason after an abort */
export const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });

import type { RawAnswer } from './client.js';
import type { FailureOf, ServiceName } from './contracts.js';

/**
 * An error of the service. `failure` holds the answer, discriminated by `status`:
 * `if (isRefusal(error, 'router') && error.failure.status === 409) error.failure.body.submissionId`.
 */
export class Refusal<S extends ServiceName = ServiceName> extends Error {
  override name = 'Refusal';
  /** The id in the service's log. */
  readonly requestId: string;
  /** Retry after this many seconds, as the service asks. */
  readonly retryAfterSeconds: number | undefined;
  /** The code of the error (`docs/errors.md`). */
  readonly code: string | undefined;
  /** A later repeat of the same request can succeed. */
  readonly retryable: boolean;
  constructor(
    readonly service: S,
    readonly failure: FailureOf<S>,
    about: Pick<RawAnswer, 'requestId' | 'retryAfterSeconds' | 'code' | 'retryable'>,
  ) {
    const { requestId, retryAfterSeconds, code, retryable } = about;
    const { status, body } = failure as { status: number; body: unknown };
    super(`${service} answered ${String(status)}${wordsOf(body)} (request ${requestId})`);
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
    this.code = code;
    this.retryable = retryable;
  }
  get status(): number {
    return (this.failure as { status: number }).status;
  }
}

/** True for an error that a service answered. */
export const isRefusal = <S extends ServiceName>(error: unknown, service: S): error is Refusal<S> =>
  error instanceof Refusal && error.service === service;

/**
 * No response: the service is unreachable or timed out, and the outcome is unknown. If the call has a reference or a
 * key, the same call finds out.
 */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  constructor(
    readonly service: ServiceName,
    readonly requestId: string,
    options: ErrorOptions,
  ) {
    super(`${service} did not answer (request ${requestId})`, options);
  }
}

function wordsOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return '';
  const { error, message } = body as { error?: unknown; message?: unknown };
  const words = typeof message === 'string' ? message : error;
  return typeof words === 'string' ? `: ${words}` : '';
}

import type { FailureOf, ServiceName } from './contracts.js';

/**
 * A service has refused, or failed. What it answered is in `failure`, told apart by `status`:
 * `if (isRefusal(error, 'router') && error.failure.status === 409) error.failure.body.submissionId`.
 */
export class Refusal<S extends ServiceName = ServiceName> extends Error {
  override name = 'Refusal';
  constructor(
    readonly service: S,
    readonly failure: FailureOf<S>,
    /** By which the service's log knows the request. */
    readonly requestId: string,
    /** When the same request may find out more, as the service says. */
    readonly retryAfterSeconds?: number,
  ) {
    const { status, body } = failure as { status: number; body: unknown };
    super(`${service} answered ${String(status)}${wordsOf(body)} (request ${requestId})`);
  }
  get status(): number {
    return (this.failure as { status: number }).status;
  }
}

/** Whether an error is what a service has refused with. */
export const isRefusal = <S extends ServiceName>(error: unknown, service: S): error is Refusal<S> =>
  error instanceof Refusal && error.service === service;

/**
 * No answer has come: the service cannot be reached, or takes too long. Whether it did what was asked is not known; the
 * same call again finds out, where it carries a reference or a key.
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

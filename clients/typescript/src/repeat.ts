/**
 * POSTs that are safe to repeat: they carry a reference or idempotency key, or change nothing. Others are not
 * repeated after a lost answer, because the service might act twice.
 */
const repeatable: readonly RegExp[] = [
  /^\/orchestrator\/(?:approve|deny|cancel|preflight|reroute|replacements|refunds|plans)$/,
  /^\/orchestrator\/plans\/[^/]+\/renew$/,
  /^\/rx\/prescriptions\/submit$/,
  /^\/rx\/prescriptions\/[^/]+\/cancel$/,
  /^\/v1\/work-items\/[^/]+\/answer$/,
  /^\/notify\/send$/,
  /^\/notify\/templates\/[^/]+\/preview$/,
  /^\/submit$/,
  /^\/(?:payment-intent|validate-coupon|save-payment-info)$/,
  /^\/v1\/patients(?:\/email-lookup)?$/,
  /^\/v1\/patients\/[^/]+\/erase$/,
];

/** Requests that a service recognizes by their bytes, with signature version 1. */
const knownByItsBytes: readonly RegExp[] = [
  /^\/orchestrator\/refill-schedules(?:\/[^/]+\/(?:skip|move|ship-to))?$/,
  /^\/physicians$/,
  /^\/physicians\/[^/]+\/licenses$/,
  /^\/routing-rules$/,
];

/** True for a request that a service recognizes only if it comes with the same signature. */
export const isKnownByItsBytes = (method: string, path: string, signatureVersion?: 1 | 2): boolean =>
  method === 'POST' && signatureVersion === 1 && knownByItsBytes.some((pattern) => pattern.test(path));

/** True if a request with an unknown outcome may be repeated. */
export const isRepeatable = (method: string, path: string, signatureVersion?: 1 | 2): boolean =>
  method !== 'POST' ||
  repeatable.some((pattern) => pattern.test(path)) ||
  isKnownByItsBytes(method, path, signatureVersion);

const shortestPauseMs = 500;
const longestPauseMs = 60_000;

/**
 * The delay before the next attempt; undefined for none. It follows Retry-After up to a minute.
 * @param answer undefined if there was none
 */
export function pauseMs(
  attempt: number,
  answer: { status: number; retryAfterSeconds?: number; retryable: boolean } | undefined,
  isRepeatable: boolean,
): number | undefined {
  // The service did not process a request over its rate limit; other outcomes are unknown.
  const isAgain =
    answer?.status === 429 || (isRepeatable && (!answer || answer.status === 503 || answer.retryable));
  if (!isAgain) return undefined;
  const toldMs = (answer?.retryAfterSeconds ?? 0) * 1_000;
  const ownMs = shortestPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  return Math.min(longestPauseMs, Math.max(toldMs, ownMs));
}

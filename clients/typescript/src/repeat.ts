/**
 * POSTs that carry what the service knows a repeat by, a reference of the caller's or the idempotency key, that are one
 * request however often they are made, or that change nothing. A lost answer to any other is not asked for again: the service might do it twice.
 */
const repeatable: readonly RegExp[] = [
  /^\/orchestrator\/(?:approve|deny|cancel|preflight)$/,
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

/** What a service knows by its bytes where it is signed by version 1. */
const knownByItsBytes: readonly RegExp[] = [
  /^\/orchestrator\/refill-schedules$/,
  /^\/physicians$/,
  /^\/physicians\/[^/]+\/licenses$/,
  /^\/routing-rules$/,
];

/** Whether a request may be sent again where nobody knows what became of it. */
export const isRepeatable = (method: string, path: string, signatureVersion?: 1 | 2): boolean =>
  method !== 'POST' ||
  repeatable.some((pattern) => pattern.test(path)) ||
  (signatureVersion === 1 && knownByItsBytes.some((pattern) => pattern.test(path)));

const shortestPauseMs = 500;
const longestPauseMs = 60_000;

/**
 * How long to wait before the next attempt; undefined where there is to be none. A service that says how long is taken
 * at its word, within a minute.
 * @param answer none where the request got none
 */
export function pauseMs(
  attempt: number,
  answer: { status: number; retryAfterSeconds?: number } | undefined,
  isRepeatable: boolean,
): number | undefined {
  // A request beyond a limit was not looked at; of the others nobody knows.
  const isAgain = !answer || answer.status === 429 || (answer.status === 503 && isRepeatable);
  if (!isAgain) return undefined;
  const toldMs = (answer?.retryAfterSeconds ?? 0) * 1_000;
  const ownMs = shortestPauseMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
  return Math.min(longestPauseMs, Math.max(toldMs, ownMs));
}

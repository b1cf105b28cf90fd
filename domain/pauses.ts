const shortestPauseMs = 1_000;
const growth = 1.5;

/**
 * The pause before the next try at a receiver: it grows from 1 s, with jitter.
 * @param attempts made so far
 * @param random from 0 to 1, spreads the retries
 */
export function growingPauseMs(attempts: number, longestPauseMs: number, random: number): number {
  const pauseMs = Math.min(longestPauseMs, shortestPauseMs * growth ** (attempts - 1));
  return Math.max(shortestPauseMs, pauseMs * (1 - random / 2));
}

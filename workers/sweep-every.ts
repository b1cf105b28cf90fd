import type { Logger } from '../platform/logger.js';

/**
 * Sweeps again and again, one pass after the other and the first at once; one that fails is logged, and the next comes
 * in its time.
 * @returns a function that stops it, once the pass under way has ended
 */
export function sweepEvery(
  { everyMs, what, logger }: { everyMs: number; what: string; logger: Logger },
  sweep: () => Promise<void>,
): () => Promise<void> {
  const sweepQuietly = () => sweep().catch((err: unknown) => logger.warn({ err }, `sweep of ${what} failed`));
  let sweeping = sweepQuietly();
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweepQuietly);
  }, everyMs);
  return () => {
    clearInterval(timer);
    return sweeping;
  };
}

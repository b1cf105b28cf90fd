import { setTimeout as sleep } from 'node:timers/promises';
import { messageWithAdvice } from './certificate-advice.js';
import type { Logger } from './logger.js';

const retryEveryMs = 500;
/** Repeats the warning this often. */
const warnEveryMs = 60_000;

/**
 * Retries a call until the server answers, without a limit, and warns every minute. Giving up would only restart the
 * process, and `/ready` fails meanwhile.
 * @param isAway whether an error means that the server is down; others end the wait
 * @throws any other error, and the signal's reason
 */
export async function untilItAnswers<T>(
  server: 'Temporal' | 'Postgres',
  ask: () => Promise<T>,
  { isAway, logger, signal }: { isAway: (error: unknown) => boolean; logger: Logger; signal: AbortSignal },
): Promise<T> {
  let warnAt: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    try {
      const answer = await ask();
      if (warnAt !== undefined) logger.info(`${server} answers`);
      return answer;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (warnAt === undefined || Date.now() >= warnAt) {
        warnAt = Date.now() + warnEveryMs;
        logger.warn({ reason: reasonOf(error) }, `${server} does not answer; retrying`);
      }
    }
    await sleep(retryEveryMs, undefined, { signal });
  }
}

/** Safe to log: no patient data is sent before a server answers. */
const reasonOf = (error: unknown): string => messageWithAdvice(error).split('\n', 1).join('').slice(0, 300);

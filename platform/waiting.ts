import { setTimeout as sleep } from 'node:timers/promises';
import { messageWithAdvice } from './certificate-advice.js';
import type { Logger } from './logger.js';

const retryEveryMs = 500;
/** While something stays away, it is said this often. */
const tellEveryMs = 60_000;

/**
 * What a server says, tried until it says it: one line when it does not answer, one for every minute of that, one when
 * it does. There is no limit: a process that gave up would be started again and wait again, only later, and `/ready`
 * tells whoever watches that it waits.
 * @param isAway whether a failure means that the server is away; any other ends the wait
 * @throws whatever is not `isAway`, and the signal's reason
 */
export async function untilItAnswers<T>(
  server: 'Temporal' | 'Postgres',
  ask: () => Promise<T>,
  { isAway, logger, signal }: { isAway: (error: unknown) => boolean; logger: Logger; signal: AbortSignal },
): Promise<T> {
  let tellAt: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    try {
      const answer = await ask();
      if (tellAt !== undefined) logger.info(`${server} answers`);
      return answer;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (tellAt === undefined || Date.now() >= tellAt) {
        tellAt = Date.now() + tellEveryMs;
        logger.warn({ reason: reasonOf(error) }, `${server} does not answer yet, and is waited for`);
      }
    }
    await sleep(retryEveryMs, undefined, { signal });
  }
}

/** One line: addresses and codes, nothing of a patient, since nothing of one is sent before a server answers. */
const reasonOf = (error: unknown): string => messageWithAdvice(error).split('\n', 1).join('').slice(0, 300);

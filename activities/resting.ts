import { setTimeout as pause } from 'node:timers/promises';

/** Well within a local try. */
const longestMs = 500;

/**
 * Waits so many times as long as an activity has worked, so that approvals beside a long piece of work hardly feel it.
 * @param begunAt by `performance.now()`
 */
export const rest = (begunAt: number, times: number): Promise<void> =>
  pause(Math.min(times * (performance.now() - begunAt), longestMs));

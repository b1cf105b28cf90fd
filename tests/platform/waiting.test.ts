import { expect, test } from '@jest/globals';
import type { LogFields, Logger } from '../../platform/logger.js';
import { untilItAnswers } from '../../platform/waiting.js';

const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9\n    at a frame'), {
  code: 'ECONNREFUSED',
});
const isAway = (error: unknown): boolean => error === refused;

function heard() {
  const lines: unknown[][] = [];
  const log = (...line: [LogFields | string, string?]) => void lines.push(line);
  const logger: Logger = { info: log, warn: log, error: log, fatal: log, child: () => logger };
  return { lines, logger };
}

test('a server that is away is asked until it answers, with one line at the begin of that and one at its end', async () => {
  const { lines, logger } = heard();
  let asked = 0;
  const ask = async () => {
    if (++asked < 4) throw refused;
    return 'here';
  };
  const { signal } = new AbortController();
  expect(await untilItAnswers('Postgres', ask, { isAway, logger, signal })).toBe('here');
  expect(lines).toEqual([
    [{ reason: 'connect ECONNREFUSED 127.0.0.1:9' }, 'Postgres does not answer; retrying'],
    ['Postgres answers'],
  ]);
});

test('a server that answers at once is not spoken of', async () => {
  const { lines, logger } = heard();
  const { signal } = new AbortController();
  await untilItAnswers('Temporal', async () => 'here', { isAway, logger, signal });
  expect(lines).toEqual([]);
});

test('what does not mean that it is away ends the wait, as does a stop', async () => {
  const { logger } = heard();
  const stop = new AbortController();
  const denied = new Error('password authentication failed');
  const asking = (error: Error) =>
    untilItAnswers('Postgres', () => Promise.reject(error), { isAway, logger, signal: stop.signal });
  await expect(asking(denied)).rejects.toBe(denied);
  const waiting = asking(refused);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
});

import { expect, test } from '@jest/globals';
import { endConnections } from '../connections/endings.js';
import { hangsAfterMs } from '../connections/requests.js';

test('2,000 connections that end cost their requests an error, and nothing else', async () => {
  const endings = await endConnections(2_000, 60);
  expect(endings).toMatchObject({ strange: [], heard: true, torn: 0, lost: 0 });
  expect(endings.total).toBeGreaterThanOrEqual(2_000);
  expect(Math.max(endings.slowestMs, endings.answeredWithinMs)).toBeLessThan(hangsAfterMs);
});

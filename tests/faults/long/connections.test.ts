import { expect, test } from '@jest/globals';
import { atLength } from '../../helpers/at-length.js';
import { endConnections } from '../connections/endings.js';
import { hangsAfterMs } from '../connections/requests.js';

const count = atLength(600, 2_000);

test('hundreds of connections that end cost their requests an error, and nothing else', async () => {
  const endings = await endConnections(count, Math.round(count / 33));
  expect(endings).toMatchObject({ strange: [], heard: true, torn: 0, lost: 0 });
  expect(endings.total).toBeGreaterThanOrEqual(count);
  expect(Math.max(endings.slowestMs, endings.answeredWithinMs)).toBeLessThan(hangsAfterMs);
});

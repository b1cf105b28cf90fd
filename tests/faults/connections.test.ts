import { expect, test } from '@jest/globals';
import { atLength } from '../helpers/at-length.js';
import { endConnections, run, startPostgres } from './connections/endings.js';
import { hangsAfterMs } from './connections/requests.js';

test('a connection that ends costs its request an error, whatever it was doing, and nothing else', async () => {
  const endings = await endConnections(atLength(200, 2_000), atLength(5, 60));
  expect(endings).toMatchObject({ strange: [], heard: true, torn: 0, lost: 0 });
  for (const [moment, count] of Object.entries(endings.ended))
    expect([moment, count > 0]).toEqual([moment, true]);
  expect(Math.max(endings.slowestMs, endings.answeredWithinMs)).toBeLessThan(hangsAfterMs);
});

test('nothing of a transaction goes on where its connection is another one’s, and nothing hangs where many end at once', async () => {
  const server = await startPostgres();
  const { stdout } = await run('corners.ts', ['127.0.0.1', server.port, server.password]);
  await server.stop();
  expect(JSON.parse(stdout)).toEqual({
    lateStatements: { isLost: true, late: 'refused', rows: ['next'] },
    endsAtOnce: { hanging: 0 },
  });
});

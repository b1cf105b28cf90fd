import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { exchange } from '../../platform/http/outbound.js';

test('an answer without an end is left when it grows too large, not held until the time is over', async () => {
  const server = createServer((_request, response) => {
    const more = () => {
      while (response.write(Buffer.alloc(256 * 1024)));
    };
    response.on('drain', more);
    more();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = {
    party: 'Somebody',
    method: 'GET',
    url: `http://127.0.0.1:${port}/`,
    timeoutMs: 60_000,
  } as const;
  const left = once(server, 'request').then(([, response]) => once(response as NodeJS.EventEmitter, 'close'));
  await expect(exchange(call)).rejects.toMatchObject({
    message: 'Somebody sent an answer of an unexpected shape',
  });
  await left;
  server.close();
});

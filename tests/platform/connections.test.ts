import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { limitConnections } from '../../api/plugins/connections.js';
import { eventually } from '../helpers/client.js';

const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

/** A server with a share of two connections for an address. */
async function serve(gateways: readonly string[]): Promise<() => Promise<Socket>> {
  const server = createServer((_request, response) => void response.end('here'));
  limitConnections(server, 2, gateways);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stops.push(() => server.close());
  return async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    stops.push(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
}

/** True if a request on the connection has an answer. */
async function isServed(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nhost: here\r\n\r\n');
  return Promise.race([once(socket, 'data').then(() => true), once(socket, 'close').then(() => false)]);
}

test('an address has its share of connections, and gets it back as they close (D165)', async () => {
  const open = await serve([]);
  const [first, second] = [await open(), await open()];
  expect(await isServed(await open())).toBe(false);
  expect([await isServed(first), await isServed(second)]).toEqual([true, true]);
  first.destroy();
  await eventually(async () => isServed(await open()));
});

test.each(['127.0.0.1', '127.0.0.0/8'])(
  'a gateway, %s, may bring the connections of everybody',
  async (gateway) => {
    const open = await serve(['10.0.0.0/8', '::1', gateway]);
    for (let n = 0; n < 5; n += 1) expect(await isServed(await open())).toBe(true);
  },
);

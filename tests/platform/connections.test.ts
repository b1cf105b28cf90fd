import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { limitConnections } from '../../api/plugins/connections.js';
import { networkOf } from '../../platform/http/network.js';
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

test('an IPv6 address counts with all of its /64, a mapped IPv4 address as itself (D165)', () => {
  const [one, two] = ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'].map(networkOf);
  expect(one).toBe(two);
  expect(networkOf('2001:db8:1:3::1')).not.toBe(one);
  expect([networkOf('::ffff:192.0.2.7'), networkOf('192.0.2.7')]).toEqual(['192.0.2.7', '192.0.2.7']);
  expect(networkOf('192.0.2.8')).toBe('192.0.2.8');
});

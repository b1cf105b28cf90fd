import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { networkOf } from '../../platform/http/network.js';

/**
 * Closes connections of a network address beyond its share, so that one address cannot take all of them (D165). A trusted
 * gateway brings the connections of everybody, so it has no share.
 * @param gateways addresses and CIDR ranges
 */
export function limitConnections(server: Server, perAddress: number, gateways: readonly string[]): void {
  const open = new Map<string, number>();
  const ranges = gateways.map(rangeOf);
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || isWithin(ranges, address)) return;
    const network = networkOf(address);
    const count = (open.get(network) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(network, count);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left === 0) open.delete(network);
      else open.set(network, left);
    });
  });
}

type Range = ReturnType<typeof ipaddr.parseCIDR>;

const rangeOf = (text: string): Range => {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
};

function isWithin(ranges: readonly Range[], text: string): boolean {
  const address = ipaddr.process(text);
  return ranges.some((range) => range[0].kind() === address.kind() && address.match(range));
}

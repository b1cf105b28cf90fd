import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import ipaddr from 'ipaddr.js';

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
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
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

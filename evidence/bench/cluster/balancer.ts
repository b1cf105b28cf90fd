import { once } from 'node:events';
import { connect, createServer } from 'node:net';

interface Address {
  host: string;
  port: number;
}

/**
 * A TCP balancer for the servers of a cluster. It takes connections in turn, moves on if one rejects, and forwards
 * bytes, so TLS ends at the servers.
 */
export async function openBalancer(at: Address, servers: readonly Address[]): Promise<() => void> {
  let turn = 0;
  const balancer = createServer((caller) => {
    caller.pause();
    const tryNext = (left: number): void => {
      const next = servers[turn++ % servers.length];
      if (left === 0 || !next) return void caller.destroy();
      const server = connect(next.port, next.host);
      let isOpen = false;
      server.once('connect', () => {
        isOpen = true;
        caller.pipe(server).pipe(caller);
        caller.on('error', () => server.destroy());
        caller.on('close', () => server.destroy());
      });
      server.on('error', () => (isOpen ? caller.destroy() : tryNext(left - 1)));
      server.on('close', () => isOpen && caller.destroy());
    };
    caller.on('error', () => undefined);
    tryNext(servers.length);
  });
  await once(balancer.listen(at.port, at.host), 'listening');
  return () => void balancer.close();
}

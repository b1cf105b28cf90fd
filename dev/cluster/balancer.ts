import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * What stands before the servers of a cluster: takes connections in turn to each, and to the next where one refuses. It
 * passes bytes on, so that TLS is the servers' own.
 */
export async function openBalancer(port: number, servers: readonly number[]): Promise<() => void> {
  let turn = 0;
  const balancer = createServer((caller) => {
    caller.pause();
    const tryNext = (left: number): void => {
      if (left === 0) return void caller.destroy();
      const server = connect(servers[turn++ % servers.length] ?? 0, '127.0.0.1');
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
  await once(balancer.listen(port, '127.0.0.1'), 'listening');
  return () => void balancer.close();
}

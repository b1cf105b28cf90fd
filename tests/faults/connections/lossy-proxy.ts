import { createServer, type Server, type Socket, connect } from 'node:net';
import { once } from 'node:events';

/** Stands before Postgres and cuts every third connection while it is being set up, each time at another moment of that. */
export async function openLossyProxy(host: string, port: number) {
  let connections = 0;
  let cut = 0;
  let isLossy = true;
  const cuts: readonly ((client: Socket, server: Socket) => void)[] = [
    // As a balancer with nobody behind it.
    (client) => client.end(),
    (client) => client.resetAndDestroy(),
    (client) => client.once('data', () => client.end()),
    (client, server) => server.once('data', () => client.destroy()),
    (client, server) => server.once('data', () => server.once('data', () => client.end())),
  ];
  const server: Server = createServer((client) => {
    const postgres = connect({ host, port });
    client.pipe(postgres).pipe(client);
    client.on('error', () => postgres.destroy()).on('close', () => postgres.destroy());
    postgres.on('error', () => client.destroy()).on('close', () => client.destroy());
    if (connections++ % 3 !== 0 || !isLossy) return;
    cuts[cut++ % cuts.length]?.(client, postgres);
  });
  await once(server.listen(0, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    cut: () => cut,
    letAllThrough: () => {
      isLossy = false;
    },
    close: () => server.close(),
  };
}

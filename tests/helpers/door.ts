import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A way to a server that can be shut: connections end, new ones are refused, until it is opened again. */
export interface Door {
  port: number;
  /** How many have come through. */
  visits: () => number;
  shut: () => Promise<void>;
  open: () => Promise<void>;
}

/** It is open when it is there. */
export async function doorTo(host: string, port: number): Promise<Door> {
  const sockets = new Set<Socket>();
  let server: Server;
  let visits = 0;
  const open = async (at: number) => {
    server = createServer((client) => {
      visits += 1;
      const behind = connect(port, host);
      for (const [socket, other] of [
        [client, behind],
        [behind, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        socket.pipe(other);
      }
    }).listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await open(0);
  return {
    port: own,
    visits: () => visits,
    open: async () => {
      await open(own);
    },
    shut: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above the blocks of systems (dev/start/ports.ts), and below the range that outgoing connections are given theirs from. */
const range = [31_100, 32_700] as const;

/** A port that nobody listens on, for a process that must be told its own. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...range);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false, // somebody else's
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

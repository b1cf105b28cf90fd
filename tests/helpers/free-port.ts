import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Above the blocks of systems (dev/start/ports.ts), and below the range that outgoing connections are given theirs from. */
const [first, end] = [31_100, 32_700];
/** Each Jest process has ports of its own, since a port is free until the process that gets it listens. */
const shares = 16;
const share = (end - first) / shares;

/** A port that nobody listens on, for a process that must be told its own. */
export async function freePort(): Promise<number> {
  const from = first + (Number(process.env['JEST_WORKER_ID'] ?? 0) % shares) * share;
  for (;;) {
    const port = randomInt(from, from + share);
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

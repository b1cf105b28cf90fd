import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A callback as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** The receiver's answer. */
  answer: Answer;
}

/** A status, with headers where it needs them, silence, or a lost connection after it took the request. */
export type Answer = number | { status: number; headers: Record<string, string> } | 'hang' | 'reset';

export interface Receiver {
  url: string;
  /** Oldest first. */
  received: Received[];
  /** Requests that were open at the same time, at most. */
  mostAtOnce: () => number;
  stop: () => Promise<void>;
}

/**
 * A receiver of callbacks on loopback, which answers as it is told, request by request.
 * @param listenAt a port, so that a receiver comes back where it was
 */
export async function startReceiver(
  answerTo: (request: { headers: IncomingHttpHeaders; body: string; count: number }) => Answer,
  listenAt = 0,
): Promise<Receiver> {
  const received: Received[] = [];
  let open = 0;
  let mostAtOnce = 0;
  const server = createServer((request, response) => {
    open += 1;
    mostAtOnce = Math.max(mostAtOnce, open);
    response.on('close', () => (open -= 1));
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers } = request;
      const body = Buffer.concat(chunks).toString();
      const answer = answerTo({ headers, body, count: received.length + 1 });
      received.push({ headers, body, answer });
      if (answer === 'hang') return;
      if (answer === 'reset') {
        request.socket.destroy();
        return;
      }
      const { status, headers: extra } =
        typeof answer === 'number' ? { status: answer, headers: {} } : answer;
      response.writeHead(status, extra).end('{"noted":true}');
    });
  });
  server.listen(listenAt, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/callbacks`,
    received,
    mostAtOnce: () => mostAtOnce,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

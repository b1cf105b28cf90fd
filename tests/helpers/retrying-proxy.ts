import { Agent, createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface RetryingProxy {
  url: string;
  /** How often a request was sent again. */
  retries: () => number;
  close: () => void;
}

const retryEveryMs = 100;
const retryForMs = 180_000;

/**
 * A gateway in front of a service that restarts. It repeats a rejected request (no connection, 503), and one whose
 * connection was reset before an answer: a closing port resets requests that nobody has read yet. An answer that
 * breaks off is a broken answer (502).
 * @param target asked at each request, since it may not be known yet
 */
export async function retryingProxy(target: () => string): Promise<RetryingProxy> {
  const agent = new Agent({ keepAlive: true });
  let retries = 0;
  const server = createServer((incoming, answer) => {
    forward(incoming, answer).catch(() => answer.writeHead(502).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    retries: () => retries,
    close: () => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await whole(incoming);
    const deadlineMs = Date.now() + retryForMs;
    for (;;) {
      const tried = await sendOnce(incoming, body);
      if (tried !== 'refused' && (tried.status !== 503 || Date.now() > deadlineMs)) {
        answer.writeHead(tried.status, tried.headers).end(tried.body);
        return;
      }
      if (Date.now() > deadlineMs) throw new Error('refused for too long');
      retries += 1;
      await pause(retryEveryMs);
    }
  }

  async function sendOnce({ method = 'GET', url = '', headers }: IncomingMessage, body: Buffer) {
    const outgoing = ask(new URL(url, target()), { method, headers, agent });
    outgoing.end(body);
    let response: IncomingMessage;
    try {
      [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ECONNREFUSED' || code === 'ECONNRESET') return 'refused';
      throw error;
    }
    const { statusCode = 502, headers: told } = response;
    delete told['transfer-encoding'];
    delete told.connection;
    return { status: statusCode, headers: told, body: await whole(response) };
  }
}

async function whole(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

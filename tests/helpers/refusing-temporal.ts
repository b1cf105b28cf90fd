import { once } from 'node:events';
import { type ClientHttp2Stream, connect, constants, createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';

export interface RefusingTemporal {
  address: string;
  /** True: workers get no tasks from now on; those that wait must poll again. */
  refuse: (isRefused: boolean) => void;
  close: () => Promise<void>;
}

/** Stands before a Temporal server and hands everything on, but for polls while it refuses them: PERMISSION_DENIED. */
export async function startRefusingTemporal(server: string): Promise<RefusingTemporal> {
  const behind = connect(`http://${server}`);
  const waiting = new Set<ServerHttp2Stream>();
  let refused = false;
  const sessions = new Set<{ destroy: () => void }>();
  const front = createServer();
  front.on('session', (session) => {
    sessions.add(session);
    session.on('error', () => undefined);
  });
  front.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    if (/\/Poll(Workflow|Activity)TaskQueue$/.test(headers[':path'] ?? '')) {
      if (refused) {
        deny(stream);
        return;
      }
      waiting.add(stream);
      stream.on('close', () => waiting.delete(stream));
    }
    const call = behind.request({ ...headers, ':authority': server });
    stream.pipe(call);
    stream.on('close', () => call.close());
    call.on('error', () => undefined);
    call.on('response', (answer) => {
      if (!stream.headersSent && !stream.destroyed) handOn(call, answer, stream);
    });
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    address: `127.0.0.1:${(front.address() as AddressInfo).port}`,
    refuse: (isRefused) => {
      refused = isRefused;
      if (refused) for (const stream of waiting) stream.close(constants.NGHTTP2_CANCEL);
    },
    close: async () => {
      for (const session of sessions) session.destroy();
      behind.destroy();
      front.close();
      await once(front, 'close');
    },
  };
}

const deny = (stream: ServerHttp2Stream): void =>
  stream.respond(
    { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '7', 'grpc-message': 'not yours' },
    { endStream: true },
  );

function handOn(call: ClientHttp2Stream, answer: Record<string, unknown>, stream: ServerHttp2Stream): void {
  let trailers: Record<string, unknown> = {};
  call.on('trailers', (given: Record<string, unknown>) => (trailers = given));
  stream.on('wantTrailers', () => stream.sendTrailers(trailers as Record<string, string>));
  stream.respond(answer as Record<string, string>, { waitForTrailers: true });
  call.pipe(stream);
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

export interface BareApp {
  pid: number;
  run: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts R beside a running system, on its Temporal server; the stub it calls is played here. */
export async function startBare(temporalAddress: string): Promise<BareApp> {
  const stub = createServer((request, response) => {
    request
      .resume()
      .once('end', () => response.setHeader('content-type', 'application/json').end('{"ok":true}'));
  });
  stub.listen(0, '127.0.0.1');
  await once(stub, 'listening');
  const stubUrl = `http://127.0.0.1:${(stub.address() as AddressInfo).port}/`;

  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), [temporalAddress, stubUrl], {
    execArgv: ['--import', 'tsx'],
    // What its worker logs at start would stand between the figures.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const ended = once(child, 'exit');
  const started = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (!started) throw new Error('the bare app ended before it was ready');
  const [{ url }] = started as [{ url: string }];

  return {
    pid: child.pid ?? 0,
    run: async () => {
      const response = await fetch(`${url}/run`, { method: 'POST' });
      if (!response.ok) throw new Error(`the bare app answered ${response.status}`);
      await response.arrayBuffer();
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await ended;
      stub.closeAllConnections();
      stub.close();
    },
  };
}

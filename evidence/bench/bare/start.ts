import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type ForkedApp, forkApp } from '../forked-app.js';
import type { Work } from '../measure.js';

/** Starts R on the Temporal server of a running system; this process serves the stub that R calls. */
export async function startBare(temporalAddress: string): Promise<ForkedApp & { run: Work }> {
  const stub = createServer((request, response) => {
    request
      .resume()
      .once('end', () => response.setHeader('content-type', 'application/json').end('{"ok":true}'));
  });
  stub.listen(0, '127.0.0.1');
  await once(stub, 'listening');
  const stubUrl = `http://127.0.0.1:${(stub.address() as AddressInfo).port}/`;

  const app = await forkApp(fileURLToPath(new URL('main.ts', import.meta.url)), {
    args: [temporalAddress, stubUrl],
  });
  return {
    ...app,
    run: async () => {
      const response = await fetch(`${app.url}/run`, { method: 'POST' });
      if (!response.ok) throw new Error(`the bare app answered ${response.status}`);
      await response.arrayBuffer();
    },
    stop: async () => {
      await app.stop();
      stub.closeAllConnections();
      stub.close();
    },
  };
}

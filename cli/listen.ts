import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { verifyCallback, verifyEvent } from '../clients/typescript/src/index.js';
import { pretty } from './call-service.js';
import { readSystem } from './system.js';

/** `rx listen`: receives callbacks and events in development, verifies and prints them. */
export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('receive callbacks and events on this machine, verify and print them')
    .option('--port <number>', 'local port; use http://127.0.0.1:<port>/ as callbackUrl', '4800')
    .option('--key <name>', 'the API key whose secret signs the callbacks', 'clinic')
    .option('--count <number>', 'exit after this many requests')
    .action(async ({ port, key, count }: { port: string; key: string; count?: string }) => {
      const { apiKeys, webhookSecrets } = readSystem();
      const callbacks = apiKeys[key]?.secret;
      if (callbacks === undefined) throw new Error(`There is no key ${key}.`);
      let left = Number(count ?? Infinity);
      const server = createServer((request, response) => {
        void verified(request, { callbacks, events: webhookSecrets?.events ?? '' }).then((received) => {
          console.log(pretty(received));
          response.writeHead(received.ok ? 204 : 401).end(() => {
            left -= 1;
            if (left <= 0) server.close();
          });
        });
      });
      server.listen(Number(port), '127.0.0.1');
      await once(server, 'listening');
      console.error(`Listening at http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await once(server, 'close');
    });
}

async function verified(request: IncomingMessage, secrets: { callbacks: string; events: string }) {
  const { headers } = request;
  const received = { headers, body: await buffer(request) };
  return headers['content-type']?.startsWith('application/cloudevents+json')
    ? verifyEvent(received, secrets.events)
    : verifyCallback(received, secrets.callbacks);
}

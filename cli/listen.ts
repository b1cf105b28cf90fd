import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import {
  type ClientEvent,
  verifyCallback,
  verifyDelivery,
  verifyEvent,
} from '../clients/typescript/src/index.js';
import { deliveryHeaders } from '../platform/crypto/signature.js';
import { keyOf, pretty } from './call-service.js';
import { type EventFilter, pagesOfEvents, withEventFilter } from './events.js';
import { readSystem } from './system.js';

interface ListenOptions extends EventFilter {
  port: string;
  forwardTo?: URL;
  count?: string;
}

/** `rx listen`: receives or forwards what the system sends, in development. */
export function addListenCommand(program: Command): void {
  const listen = program
    .command('listen')
    .description('receive callbacks and events on this machine, verify and print them')
    .option('--port <number>', 'local port; use http://127.0.0.1:<port>/ as callbackUrl', '4800')
    .option('--forward-to <url>', 'post events to your receiver on this machine instead, signed', readLocal)
    .option('--key <name>', 'the API key that signs (default: "clinic", with --forward-to "approvals")')
    .option('--count <number>', 'exit after this many requests');
  withEventFilter(listen, 'latest').action(async ({ forwardTo, ...options }: ListenOptions) =>
    forwardTo ? forward(forwardTo, options) : receive(options),
  );
}

function readLocal(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' || !['127.0.0.1', 'localhost', '[::1]'].includes(url.hostname))
    throw new InvalidArgumentError('Give an address on this machine, such as http://127.0.0.1:8080/events.');
  return url;
}

async function receive({ port, key = 'clinic', count }: ListenOptions): Promise<void> {
  const system = readSystem();
  const { secret } = keyOf(system, key);
  let left = Number(count ?? Infinity);
  const server = createServer((request, response) => {
    void verified(request, { key: secret, events: system.webhookSecrets?.events ?? '' }).then((received) => {
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
}

async function verified(request: IncomingMessage, secrets: { key: string; events: string }) {
  const { headers } = request;
  const received = { headers, body: await buffer(request) };
  if (headers['content-type']?.startsWith('application/cloudevents+json'))
    return verifyEvent(received, secrets.events);
  const isCallback = headers['x-callback-kind'] !== undefined;
  return isCallback ? verifyCallback(received, secrets.key) : verifyDelivery(received, secrets.key);
}

/** Posts events as an event endpoint gets them (D130): in order, and each batch until a 2xx takes it. */
async function forward(url: URL, { key = 'approvals', count, ...filter }: ListenOptions): Promise<void> {
  const { secret } = keyOf(readSystem(), key);
  let left = Number(count ?? Infinity);
  console.error(`Forwarding events of the key ${key} to ${url.href}`);
  for await (const { events, nextAfter } of pagesOfEvents({ ...filter, key })) {
    if (events.length === 0) continue;
    await deliver(url, secret, events);
    console.log(`${events.map(({ type }) => type).join(', ')}; continue with --after ${nextAfter}`);
    left -= 1;
    if (left <= 0) return;
  }
}

const longestPauseMs = 10_000;

async function deliver(url: URL, secret: string, events: readonly ClientEvent[]): Promise<void> {
  const id = randomUUID();
  const body = JSON.stringify({ events });
  for (let pauseMs = 1_000; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const headers = { 'content-type': 'application/json', ...deliveryHeaders(secret, id, body) };
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    if (answer?.ok) return;
    console.error(
      `${answer ? `It answered ${answer.status}` : 'It does not answer'}: the same again in ${pauseMs / 1_000} s.`,
    );
    await sleep(pauseMs);
  }
}

import { randomUUID } from 'node:crypto';
import { fork, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { compiledSources } from '../../dev/compile.js';
import { readConfig } from '../../sandbox/config.js';
import { call, freshSettings, orderA } from './helpers.js';

interface Running {
  child: ChildProcess;
  url: string;
}

const script = join(await compiledSources(), 'sandbox/main.js');

function spawn(settings: Record<string, string>) {
  return fork(script, {
    execArgv: [],
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

async function start(settings: Record<string, string>): Promise<Running> {
  const child = spawn(settings);
  const [message] = (await once(child, 'message')) as [{ ready: boolean; url: string }];
  expect(message.ready).toBe(true);
  return { child, url: message.url };
}

async function end({ child }: Running, signal: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(signal);
  return (await exit)[0];
}

/** The output of a failed start, and its exit code. */
async function failedStart(settings: Record<string, string>): Promise<{ code: number | null; text: string }> {
  const child = spawn(settings);
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

const sdk = (url: string, key: string): Stripe => {
  const { hostname, port } = new URL(url);
  return new Stripe(key, { host: hostname, port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
};

test('nothing that was answered is forgotten when the process is killed', async () => {
  const settings = await freshSettings();
  const config = readConfig(settings);
  const authorization = `Bearer ${config.SANDBOX_EMR_TOKEN}`;
  const key = randomUUID();
  const place = (url: string) =>
    call(`${url}/pharmacy-a/orders`, {
      json: orderA(),
      headers: { 'x-api-key': config.SANDBOX_PHARMACY_A_API_KEY, 'idempotency-key': key },
    });
  const charge = (stripe: Stripe) =>
    stripe.paymentIntents.create(
      { amount: 500, currency: 'usd', payment_method: 'pm_card_visa', confirm: true },
      { idempotencyKey: key },
    );

  const first = await start(settings);
  const order = await place(first.url);
  const intent = await charge(sdk(first.url, config.SANDBOX_STRIPE_SECRET_KEY));
  await call(`${first.url}/chat`, { json: { text: key } });
  const patient = await call(`${first.url}/fhir/R4/Patient`, {
    json: { resourceType: 'Patient', name: [{ family: 'Test' }] },
    headers: { authorization },
  });
  const { body: requests } = await call(`${first.url}/_sandbox/requests`);
  await end(first, 'SIGKILL');
  // They hold what the outside was told of people, and secrets.
  const files = await readdir(config.SANDBOX_DATA_DIR);
  const modes = await Promise.all(files.map((file) => stat(join(config.SANDBOX_DATA_DIR, file))));
  expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  expect(modes.length).toBeGreaterThan(2);

  const second = await start(settings);
  try {
    expect((await place(second.url)).body).toEqual(order.body);
    expect((await charge(sdk(second.url, config.SANDBOX_STRIPE_SECRET_KEY))).id).toBe(intent.id);
    const { id } = patient.body as { id: string };
    const read = await call(`${second.url}/fhir/R4/Patient/${id}`, { headers: { authorization } });
    expect(read.body).toEqual(patient.body);
    expect((await call(`${second.url}/_sandbox/messages`)).body).toMatchObject({ messages: [{ text: key }] });
    expect((await call(`${second.url}/_sandbox/orders`)).body).toMatchObject({
      orders: [{ idempotencyKey: key }],
    });
    expect((await call(`${second.url}/_sandbox/charges`)).body).toMatchObject({
      charges: [{ amountCents: 500 }],
    });
    const after = (await call(`${second.url}/_sandbox/requests`)).body as { requests: unknown[] };
    expect(after.requests.slice(-4)).toEqual((requests as { requests: unknown[] }).requests);
  } finally {
    await end(second, 'SIGKILL');
  }
});

test('SIGTERM ends it cleanly, also with a call that hangs', async () => {
  const running = await start(await freshSettings());
  await call(`${running.url}/_sandbox/faults`, { json: { target: 'chat', kind: 'hang' } });
  const hanging = call(`${running.url}/chat`, { json: { text: 'hello' } });
  const cut = expect(hanging).rejects.toThrow();
  let seen: unknown[] = [];
  while (seen.length === 0) {
    const { body } = await call(`${running.url}/_sandbox/requests?target=chat`);
    seen = (body as { requests: unknown[] }).requests;
  }
  expect(await end(running, 'SIGTERM')).toBe(0);
  await cut;
});

test('a bad setting and a port in use are one sentence each, and exit code 1', async () => {
  const bad = await failedStart({
    ...(await freshSettings()),
    SANDBOX_PORT: 'many',
    SANDBOX_ROUTER_URL: 'nowhere',
  });
  expect(bad.code).toBe(1);
  expect(bad.text).toMatch(
    /^The sandbox cannot start with these settings: SANDBOX_PORT: .*; SANDBOX_ROUTER_URL: .*\.\n$/,
  );

  const squatter = createServer().listen(0, '127.0.0.1');
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  for (const name of ['SANDBOX_PORT', 'SANDBOX_SMTP_PORT', 'SANDBOX_TLS_PORT']) {
    const taken = await failedStart({ ...(await freshSettings()), [name]: String(port) });
    expect(taken.code).toBe(1);
    expect(taken.text).toMatch(new RegExp(`^Port ${port} is in use: .*\\n$`));
  }
  squatter.close();

  const datagrams = createSocket('udp4').bind(0, '127.0.0.1');
  await once(datagrams, 'listening');
  const udpPort = datagrams.address().port;
  const taken = await failedStart({ ...(await freshSettings()), SANDBOX_DNS_PORT: String(udpPort) });
  expect(taken.code).toBe(1);
  expect(taken.text).toMatch(new RegExp(`^Port ${udpPort} is in use: .*\\n$`));
  datagrams.close();
});

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { services } from '../../../api/services.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import type { ServiceName } from '../../../platform/service-names.js';
import { adminToken, shared } from '../../helpers/client.js';
import {
  bodySchemaOf,
  bodyTextsOf,
  credentialsFor,
  type DocumentedRoute,
  documentedRoutes,
} from '../../helpers/documented-routes.js';
import { chunk, header, pixels, pngOf, smallPicture } from '../../helpers/png.js';
import { type SecondApi, startSecondApi, unlimited } from '../../helpers/second-api.js';
import { type TextField, textFieldsOf } from '../../helpers/text-fields.js';

const dev = shared();
const names = (Object.keys(services) as ServiceName[]).filter((name) => name !== 'codec');

const routes = await documentedRoutes(dev, names);
const nameOf = ({ service, method, path }: DocumentedRoute, { at }: Pick<TextField, 'at'>) =>
  `${service} ${method} ${path} ${at.join('.')}`;

describe('every text of every contract', () => {
  test('has a length, in bodies and in queries', () => {
    const unbounded = routes.flatMap((route) => [
      ...bodyTextsOf(route)
        .filter(({ schema }) => schema && schema.maxLength === undefined)
        .map((field) => nameOf(route, field)),
      ...(route.parameters ?? [])
        .filter((parameter) => parameter.in === 'query' || parameter.in === 'header')
        .flatMap(({ name, schema }) => textFieldsOf({}, schema).map((field) => ({ name, ...field })))
        .filter(({ schema }) => schema && schema.maxLength === undefined)
        .map(({ name }) => nameOf(route, { at: [name] })),
    ]);
    expect(unbounded).toEqual([]);
  });
});

/** Quadratic, as one of the contracts once was: what may stand on either side of one character is tried both ways. */
const quadratic = z.string().regex(/^\P{Cc}*[^\p{Cc}\s]\P{Cc}*$/u);
const length = 100_000;
const hostile = [
  `${'a'.repeat(length)}\u0001`,
  `${' '.repeat(length)}x`,
  `${'1'.repeat(length)}!`,
  'a@'.repeat(length / 2),
];

/** How long the quadratic expression takes over a fifth of that here and now: 25 times less than over all of it. */
function patienceMs(): number {
  const before = performance.now();
  quadratic.safeParse(hostile[0]!.slice(-length / 5));
  return Math.max(1_000, performance.now() - before);
}

/** Asks, and asks for something else meanwhile. @returns the status, and how long the slower of both took */
async function meanwhile(ask: () => Promise<Response>, other: string) {
  const before = performance.now();
  const [answer] = await Promise.all([ask(), fetch(other)]);
  await answer.arrayBuffer();
  return { status: answer.status, ms: performance.now() - before };
}

/** The least of three: the machine may be busy once, and not with this; what is slow is slow every time. */
async function leastHeldUp(ask: () => Promise<Response>, other: string, limitMs: number) {
  const tries = [await meanwhile(ask, other)];
  while (tries.length < 3 && tries.every(({ ms }) => ms >= limitMs)) tries.push(await meanwhile(ask, other));
  return { statuses: tries.map(({ status }) => status), ms: Math.min(...tries.map(({ ms }) => ms)) };
}

describe('a text of 100,000 characters', () => {
  let api: SecondApi;
  let limitMs: number;
  let token: string;
  beforeAll(async () => {
    api = await startSecondApi(dev, names, unlimited);
    limitMs = patienceMs();
    token = await adminToken(dev);
  });
  afterAll(() => api.stop());

  const send = (route: DocumentedRoute, value: unknown) => {
    const body = JSON.stringify(value);
    return fetch(api.services[route.service] + route.path, {
      method: route.method,
      headers: { 'content-type': 'application/json', ...credentialsFor(dev, token, route, body) },
      body,
    });
  };
  const health = () => `${api.services.router}/rx/health`;

  test.each(names)('in any field of the contracts of %s holds nobody up', async (service) => {
    const tooSlow: string[] = [];
    for (const route of routes.filter(
      (candidate) => candidate.service === service && bodySchemaOf(candidate),
    ))
      for (const field of bodyTextsOf(route))
        for (const text of hostile) {
          const ask = () => send(route, field.holding(text));
          const { statuses, ms } = await leastHeldUp(ask, health(), limitMs);
          const refused = statuses.filter((status) => [401, 403, 429, 500, 503].includes(status));
          expect([nameOf(route, field), refused]).toEqual([nameOf(route, field), []]);
          if (ms >= limitMs) tooSlow.push(`${nameOf(route, field)}: ${Math.round(ms)} ms`);
        }
    expect(tooSlow).toEqual([]);
  });

  test('holds everybody up where an expression is quadratic: the control', async () => {
    const app = Fastify();
    app.setValidatorCompiler(validatorCompiler);
    app.get('/health', () => ({}));
    app.post('/', { schema: { body: z.object({ name: quadratic }) } }, () => ({}));
    const origin = await app.listen({ host: '127.0.0.1', port: 0 });
    const body = JSON.stringify({ name: hostile[0]!.slice(-length / 2) });
    const ask = () =>
      fetch(origin, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { status, ms } = await meanwhile(ask, `${origin}/health`);
    await app.close();
    expect(status).toBe(400);
    expect(ms).toBeGreaterThan(limitMs);
  });

  test('is no more than a picture of 29,000,000 rows, in holding nobody up', async () => {
    const tall = pngOf(
      header({ ...smallPicture, width: 1, height: 29_000_000, depth: 1 }),
      pixels(smallPicture),
      // Without its end a picture is refused before its rows are looked at.
      chunk('IEND'),
    );
    const route = routes.find(({ path, method }) => path === '/physicians' && method === 'POST')!;
    const { statuses, ms } = await leastHeldUp(
      () => send(route, { signatureImage: tall.toString('base64') }),
      health(),
      limitMs,
    );
    expect(new Set(statuses)).toEqual(new Set([400]));
    expect(ms).toBeLessThan(limitMs);
  });
});

describe('what is judged before a body is read', () => {
  /** Sends the head of a request and none of its body; answered nevertheless. */
  async function headOnly(route: DocumentedRoute, headers: Record<string, string>) {
    const sent = request(dev.services[route.service] + route.path, { method: route.method, headers });
    sent.on('error', () => undefined);
    sent.flushHeaders();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    sent.destroy();
    return answer.statusCode;
  }
  const json = { 'content-type': 'application/json' };
  const withBody = routes.filter((route) => bodySchemaOf(route));

  test.each(withBody.map((route) => [nameOf(route, { at: [] }), route] as const))(
    '413 for a declared length over the limit, before anything else: %s',
    async (_name, route) => {
      expect(await headOnly(route, { ...json, 'content-length': String(6 * 1024 * 1024) })).toBe(413);
    },
  );

  // The callback has a signature of another shape, and a test of its own.
  const guarded = withBody.filter(
    ({ security, path }) => (security ?? []).length > 0 && path !== '/api/pharmacy-router/callback',
  );
  const { key, secret } = dev.apiKeys['admin']!;
  const signed = (keyId: string) => ({ ...signedHeaders({ keyId, secret }, '{}') });
  const hourAgo = () => new Date(Date.now() - 3_600_000);

  test.each(guarded.map((route) => [nameOf(route, { at: [] }), route] as const))(
    '401 without credentials, with those of nobody, and with old ones: %s',
    async (_name, route) => {
      const head = { ...json, 'content-length': '1000' };
      const isSigned = route.security!.some((scheme) => 'signature' in scheme);
      const wrong = isSigned
        ? [{}, signed('nobody'), { ...signed(key), 'x-timestamp': hourAgo().toISOString() }]
        : [{}, { authorization: 'Bearer x', 'x-webhook-secret': 'x' }];
      for (const headers of wrong)
        expect([headers, await headOnly(route, { ...head, ...headers })]).toEqual([headers, 401]);
    },
  );

  test('401 to a callback without a signature, or with an old one', async () => {
    const route = routes.find(({ path }) => path === '/api/pharmacy-router/callback')!;
    const old = { 'x-timestamp': hourAgo().toISOString(), 'x-signature': 'x' };
    for (const headers of [{}, old])
      expect(await headOnly(route, { ...json, 'content-length': '1000', ...headers })).toBe(401);
  });
});

describe('hundreds of clients that send a byte a second', () => {
  const each = 150;
  /** Once they are cut off, or were not in the time of the test. */
  const closed = new AbortController();
  afterAll(() => closed.abort());
  const open = (service: ServiceName, head: string) =>
    Array.from({ length: each }, () => {
      const { hostname, port } = new URL(dev.services[service]);
      const socket = connect(Number(port), hostname);
      socket.write(head);
      return { socket, answer: answerTo(socket) };
    });
  /** Up to its close. That a byte still under way when it was cut off resets it is an end as well. */
  const answerTo = (socket: Socket) =>
    new Promise<{ status: string | undefined; closedAt: number }>((resolve, reject) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
      });
      socket.on('close', () =>
        resolve({ status: /^HTTP\/1\.1 (\d+)/.exec(text)?.[1], closedAt: performance.now() }),
      );
    });

  test('are cut off, those with half of their headers first, and everybody else is served meanwhile', async () => {
    const head = 'POST /v1/auth/otp/check HTTP/1.1\r\nhost: x\r\n';
    const slowHeaders = open('organization', head);
    const slowBodies = open(
      'organization',
      `${head}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
    );
    const clients = [...slowHeaders, ...slowBodies];
    const feed = () => {
      for (const { socket } of clients) if (socket.writable && socket.bytesRead === 0) socket.write('x');
    };
    // After what has come in was read: a write to a connection that is closed drops an answer that was not.
    const feeding = setInterval(() => setImmediate(feed), 1_000);
    closed.signal.addEventListener('abort', () => {
      clearInterval(feeding);
      for (const { socket } of clients) socket.destroy();
    });
    let served = 0;
    const others = (async () => {
      while (!closed.signal.aborted) {
        expect((await fetch(`${dev.services.organization}/health`)).status).toBe(200);
        served += 1;
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    })();
    const [headers, bodies] = await Promise.all([
      Promise.all(slowHeaders.map(({ answer }) => answer)),
      Promise.all(slowBodies.map(({ answer }) => answer)),
    ]);
    closed.abort();
    await others;
    expect(new Set([...headers, ...bodies].map(({ status }) => status))).toEqual(new Set(['408']));
    const [last, first] = [headers, bodies].map((answers) => answers.map(({ closedAt }) => closedAt));
    expect(Math.max(...last!)).toBeLessThan(Math.min(...first!));
    expect(served).toBeGreaterThan(1);
  });
});

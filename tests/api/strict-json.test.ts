import { beforeAll, expect, test } from '@jest/globals';
import { sign } from '../../platform/crypto/signature.js';
import { shared } from '../helpers/client.js';
import { refusalOf, type SignedRoute, signedRoutes } from '../helpers/openapi.js';

const dev = shared();
const admin = dev.apiKeys['admin']!;
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

let routes: SignedRoute[];
beforeAll(async () => {
  routes = (await signedRoutes(dev)).filter(({ method }) => method !== 'GET' && method !== 'DELETE');
});

/** Sends bytes as they are, signed. */
function send({ service, method, path }: SignedRoute, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const timestamp = new Date().toISOString();
  return fetch(dev.services[service] + path, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-api-key': admin.key,
      'x-timestamp': timestamp,
      'x-signature': sign(admin.secret, timestamp, body),
    },
    body,
  });
}

async function expectRefused(route: SignedRoute, body: Uint8Array<ArrayBuffer>, error: string) {
  const response = await send(route, body);
  const refused = [route.path, 400, refusalOf(route, error)];
  expect([route.path, response.status, await response.json()]).toEqual(refused);
}

const known = ['/orchestrator/approve', '/rx/prescriptions/submit', '/notify/send'];
test('there are signed routes that take a body', () => {
  expect(routes.map(({ path }) => path)).toEqual(expect.arrayContaining(known));
});

test.each<[string, string | number[], string]>([
  ['a duplicate key', '{"a":1,"a":2}', 'Malformed JSON: duplicate key'],
  ['a duplicate key in another spelling', '{"a":1,"\\u0061":2}', 'Malformed JSON: duplicate key'],
  ['a duplicate key further down', '{"b":[{"a":1,"a":1}]}', 'Malformed JSON: duplicate key'],
  ['__proto__', '{"__proto__":{"a":1}}', 'Malformed JSON: key not allowed'],
  ['NUL in a value', '{"a":"\\u0000"}', 'Malformed JSON: character not allowed'],
  ['NUL in a key', '{"\\u0000":1}', 'Malformed JSON: character not allowed'],
  ['a lone surrogate', '{"a":"\\ud800"}', 'Malformed JSON: character not allowed'],
  ['65 levels', nested(65), 'Malformed JSON: nested deeper than 64 levels'],
  ['a million levels', '['.repeat(1_000_000), 'Malformed JSON: nested deeper than 64 levels'],
  ['a number beyond safe integers', '{"a":9007199254740993}', 'Malformed JSON: number out of range'],
  ['a number beyond all', '{"a":1e999}', 'Malformed JSON: number out of range'],
  ['invalid UTF-8', [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d], 'Malformed JSON: not valid UTF-8'],
  ['an overlong encoding', [0x22, 0xc0, 0x80, 0x22], 'Malformed JSON: not valid UTF-8'],
  ['a byte order mark', [0xef, 0xbb, 0xbf, 0x7b, 0x7d], 'Malformed JSON'],
  ['a comment', '{"a":1/* one */}', 'Malformed JSON'],
  ['a trailing comma', '{"a":1,}', 'Malformed JSON'],
  ['two documents', '{}{}', 'Malformed JSON'],
  ['a document cut short', '{"a":', 'Malformed JSON'],
  ['nothing but space', ' ', 'Malformed JSON'],
  ['single quotes', "{'a':1}", 'Malformed JSON'],
])('400 for %s', async (_name, content, error) => {
  const body = typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content);
  await expectRefused(
    routes.find(({ path }) => path === '/orchestrator/approve')!,
    body,
    error,
  );
});

// tests/api/long/bad-inputs.test.ts sends each of the others to each route.
test('400 on every signed route with a body for a duplicate key', async () => {
  const body = new TextEncoder().encode('{"a":1,"a":2}');
  for (const route of routes) await expectRefused(route, body, 'Malformed JSON: duplicate key');
});

test('64 levels are read: what is wrong then is the contract', async () => {
  for (const route of routes.filter(({ path }) => known.includes(path))) {
    const response = await send(route, new TextEncoder().encode(nested(64)));
    expect([route.path, response.status, await response.json()]).toMatchObject([
      route.path,
      400,
      { error: 'Validation failed' },
    ]);
  }
});

import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  type FailureOf,
  isRefusal,
  NoAnswer,
  Orchestrator,
  type Received,
  ServiceClient,
  signedHeaders,
  standardSecret,
  verifyCallback,
  verifyEvent,
} from '../../clients/typescript/src/index.js';
import { deliveryHeaders, sign, signV2 } from '../../platform/crypto/signature.js';

/** `true` for each status with a body of its own; without narrowing by status it is `never`, and nothing fits. */
type Narrowed = {
  [S in 404 | 409 | 422 | 502 | 503]: Extract<FailureOf<'router'>, { status: S }> extends infer F
    ? [F] extends [never]
      ? never
      : F extends { body: { error: string } }
        ? true
        : never
    : never;
};

interface Seen {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}
type Told = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang up';

/** A service that answers as it is told, request by request; the last answer counts on. */
let told: Told[];
const seen: Seen[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method = '', url: path = '', headers } = request;
    seen.push({ method, path, headers, body });
    const answer = told.length > 1 ? told.shift()! : told[0]!;
    if (answer === 'hang up') return request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    return response.end(JSON.stringify(answer.body ?? {}));
  });
});
let baseUrl: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  seen.length = 0;
  told = [{ status: 200 }];
});

const key = { id: 'key-1', secret: 'a-secret' };
const approval = { taskId: 't-1', medication: 'nad', emrPatientId: 'p-1' };
const result = {
  success: true,
  completedSteps: [],
  warnings: [],
  medication: 'NAD+',
  patientName: 'P',
  state: 'NY',
};

describe('a signature of the client', () => {
  test('of version 2 covers method, path, time, nonce and body, as the services judge it', async () => {
    const request = { method: 'POST', path: '/a?b=1', body: '{"name":"Zoë"}' };
    const headers = await signedHeaders(key, request);
    const { 'x-timestamp': timestamp = '', 'x-nonce': nonce = '' } = headers;
    expect(headers['x-signature']).toBe(signV2(key.secret, { ...request, timestamp, nonce }, request.body));
    expect(nonce).toMatch(/^[A-Za-z0-9_-]{16,64}$/);
  });

  test.each([
    ['{"a":1}', '{"a":1}'],
    ['', '{}'],
  ])('of version 1 covers time and body: of %j it signs %j', async (body, signed) => {
    const headers = await signedHeaders(
      { ...key, signatureVersion: 1 },
      { method: 'POST', path: '/a', body },
    );
    expect(headers['x-signature']).toBe(sign(key.secret, headers['x-timestamp']!, signed));
  });

  test('is of another time than the one before', async () => {
    const all = await Promise.all(
      [1, 2, 3].map(() => signedHeaders(key, { method: 'GET', path: '/', body: '' })),
    );
    expect(new Set(all.map((headers) => headers['x-timestamp'])).size).toBe(3);
  });
});

describe('a call of the client', () => {
  const registry = (options = {}) => new ServiceClient('registry', { baseUrl, key, ...options });
  const physician = { firstName: 'A', lastName: 'B', npi: '1234567890' };

  test('puts parameters where they belong, and bears a request id', async () => {
    await registry().call('GET', '/physicians/{id}/verify-license', {
      path: { id: 'a/b' },
      query: { state: 'NY' },
    });
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/physicians/a%2Fb/verify-license?state=NY' });
    expect(seen[0]!.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is made again after a lost answer where the service knows a repeat: same key, signed anew', async () => {
    told = ['hang up', { status: 200, body: { success: true, result } }];
    await new Orchestrator({ baseUrl, key }).approve(approval);
    const [first, second] = seen;
    expect(second!.body).toBe(first!.body);
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
    expect(second!.headers['x-nonce']).not.toBe(first!.headers['x-nonce']);
  });

  test('is not made again where it might be done twice', async () => {
    told = ['hang up'];
    await expect(registry().call('POST', '/physicians', { body: physician })).rejects.toThrow(NoAnswer);
    expect(seen).toHaveLength(1);
  });

  test('signed by version 1 is made again byte for byte, by which a creation is known', async () => {
    told = ['hang up', { status: 201 }];
    await registry({ key: { ...key, signatureVersion: 1 } }).call('POST', '/physicians', { body: physician });
    expect(seen[1]!.headers['x-signature']).toBe(seen[0]!.headers['x-signature']);
  });

  test('signed by version 1 is signed anew where the service knows a repeat by other means', async () => {
    told = ['hang up', { status: 200, body: { success: true, result } }];
    await new Orchestrator({ baseUrl, key: { ...key, signatureVersion: 1 } }).approve(approval);
    expect(seen[1]!.headers['x-timestamp']).not.toBe(seen[0]!.headers['x-timestamp']);
    expect(seen[1]!.headers['idempotency-key']).toBe(seen[0]!.headers['idempotency-key']);
  });

  test('known by its bytes is not sent again when the service would find its signature too old', async () => {
    const startedMs = Date.now();
    // Each attempt takes as long as its timeout allows.
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => startedMs + seen.length * 130_000);
    try {
      told = ['hang up'];
      const creating = registry({ key: { ...key, signatureVersion: 1 } });
      const created = creating.call('POST', '/physicians', { body: physician });
      await expect(created).rejects.toThrow(NoAnswer);
      expect(seen).toHaveLength(2);
    } finally {
      clock.mockRestore();
    }
  });

  test('waits as long as Retry-After says, and tries no more often than it may', async () => {
    told = [{ status: 429, headers: { 'retry-after': '1' } }, { status: 200 }];
    const begun = performance.now();
    await registry().call('GET', '/physicians');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(990);
    told = [{ status: 503, body: { error: 'Temporarily unavailable' } }];
    seen.length = 0;
    await expect(registry({ attempts: 2 }).call('GET', '/physicians')).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(2);
  });

  test('ends when its time is up, and when its caller ends it', async () => {
    const slow = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const at = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const late = registry({ baseUrl: at, timeoutMs: 50, attempts: 1 }).call('GET', '/physicians');
    await expect(late).rejects.toThrow(NoAnswer);
    const ended = new AbortController();
    const waiting = registry({ baseUrl: at }).call('GET', '/physicians', {}, { signal: ended.signal });
    ended.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    slow.closeAllConnections();
    slow.close();
  });

  test('throws what the service refuses with, told apart by its status', async () => {
    told = [
      { status: 409, body: { error: 'The reference stands for another payload', submissionId: 's-1' } },
    ];
    const router = new ServiceClient('router', { baseUrl, key });
    const refused = await router.call('GET', '/rx/prescriptions').catch((error: unknown) => error);
    if (!isRefusal(refused, 'router')) throw refused;
    expect(refused.message).toMatch(/^router answered 409: The reference stands for another payload/);
    const { failure } = refused;
    // The assignment compiles only if a 409 of the router has a body with this field.
    if (failure.status === 409 && 'submissionId' in failure.body) {
      const id: string = failure.body.submissionId;
      expect(id).toBe('s-1');
    }
    const narrowed: Narrowed = { 404: true, 409: true, 422: true, 502: true, 503: true };
    expect(Object.keys(narrowed)).toHaveLength(5);
    expect(isRefusal(refused, 'registry')).toBe(false);
  });

  test('walks a list page by page', async () => {
    told = [
      { status: 200, body: { runs: [{ taskId: 'a' }, { taskId: 'b' }], nextCursor: 'c-1' } },
      { status: 200, body: { runs: [{ taskId: 'c' }], nextCursor: null } },
    ];
    const found: string[] = [];
    const runs = new Orchestrator({ baseUrl, key }).list('/orchestrator/runs', { query: { limit: 2 } });
    for await (const { taskId } of runs) found.push(taskId);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ path }) => path)).toEqual([
      '/orchestrator/runs?limit=2',
      '/orchestrator/runs?limit=2&cursor=c-1',
    ]);
  });
});

test.each(['.', '..', ''])('a path with %j as a parameter is not sent', async (id) => {
  const client = new ServiceClient('registry', { baseUrl, key });
  await expect(client.call('GET', '/physicians/{id}', { path: { id } })).rejects.toThrow(TypeError);
  expect(seen).toEqual([]);
});

test('a retryable error is sent again where the service knows a repeat, and then has its code', async () => {
  const headers = { 'error-code': 'emr_unavailable', 'error-retryable': 'true' };
  told = [
    { status: 500, body: { error: 'EMR did not answer', result: { ...result, success: false } }, headers },
  ];
  const failed = new Orchestrator({ baseUrl, key, attempts: 2 }).approve(approval);
  await expect(failed).rejects.toMatchObject({ code: 'emr_unavailable', retryable: true });
  expect(seen).toHaveLength(2);
});

describe('an approval', () => {
  const orchestrator = () => new Orchestrator({ baseUrl, key });

  test('that takes long is waited for', async () => {
    told = [
      { status: 202, body: { taskId: 't-1' } },
      { status: 200, body: { runs: [{ status: 'pending' }] } },
      { status: 200, body: { runs: [{ status: 'completed', result }] } },
    ];
    expect(await orchestrator().approve(approval)).toEqual(result);
    expect(seen.slice(1).map(({ path }) => path)).toEqual(Array(2).fill('/orchestrator/status/t-1'));
  });

  test('that stopped on the way is an error with how far it came', async () => {
    const stopped = { ...result, success: false, failedStep: 'pharmacy_submission', error: 'No route' };
    told = [{ status: 500, body: { error: 'No route', failedStep: 'pharmacy_submission', result: stopped } }];
    await expect(orchestrator().approve(approval)).rejects.toMatchObject({
      name: 'ApprovalFailed',
      result: { failedStep: 'pharmacy_submission' },
    });
  });

  test('that is refused is what the service says', async () => {
    told = [{ status: 409, body: { error: 'Task was approved with other details' } }];
    await expect(orchestrator().approve(approval)).rejects.toMatchObject({ name: 'Refusal', status: 409 });
  });
});

describe('the verification of what is received', () => {
  const secret = 'callback-secret';
  const body = JSON.stringify({ submissionId: 's', sourceOrderId: 'o', status: 'submitted', note: 'Zoë' });
  const received = (text = body, by = secret): Received => ({
    headers: deliveryHeaders(by, 'id-1', text),
    body: new TextEncoder().encode(text),
  });

  test('takes the bytes of a callback and gives its payload', async () => {
    expect(await verifyCallback(received(), secret)).toMatchObject({
      ok: true,
      id: 'id-1',
      payload: { status: 'submitted' },
    });
    const { headers } = received();
    expect(
      await verifyCallback({ headers: new Headers(headers as Record<string, string>), body }, secret),
    ).toMatchObject({ ok: true });
  });

  test('gives an id that the signature covers', async () => {
    const headers = deliveryHeaders(secret, 'id-1', body);
    const changed = (await verifyCallback(
      { headers: { ...headers, 'x-callback-id': 'id-2' }, body },
      secret,
    )) as { id: string };
    expect(changed.id).toBe('id-1');
    for (const spoilt of [
      { 'webhook-id': 'id-2' },
      { 'webhook-signature': 'v1,??' },
      { 'webhook-signature': undefined },
    ]) {
      const answer = await verifyCallback({ headers: { ...headers, ...spoilt }, body }, secret);
      expect(answer).toMatchObject({ ok: true, id: createHash('sha256').update(body).digest('hex') });
    }
  });

  test('takes either secret while a key is being rotated', async () => {
    expect(await verifyCallback(received(), ['new-one', secret])).toMatchObject({ ok: true });
  });

  test.each([
    ['another secret', 'wrong_signature', () => received(body, 'guess')],
    ['another body', 'wrong_signature', () => ({ ...received(), body: `${body} ` })],
    ['a signature that is no hex', 'wrong_signature', () => spoilt({ 'x-signature': 'zz' })],
    ['no signature', 'missing_headers', () => spoilt({ 'x-signature': undefined })],
    ['a time that is over', 'expired', () => spoilt({ 'x-timestamp': '2020-01-01T00:00:00Z' })],
    ['no time', 'expired', () => spoilt({ 'x-timestamp': 'now' })],
    ['another payload', 'malformed', () => received('{"a":1}')],
    ['no JSON', 'malformed', () => received('{')],
  ])('gives a reason for %s: %s', async (_what, reason, given) => {
    expect(await verifyCallback(given(), secret)).toEqual({ ok: false, reason });
  });
  const spoilt = (headers: Record<string, string | undefined>): Received => {
    const { headers: right, body } = received();
    return { headers: { ...(right as Record<string, string>), ...headers }, body };
  };

  test('takes an event, and no callback for one', async () => {
    const event = {
      specversion: '1.0',
      id: 'e',
      source: '/scriptrail/patients',
      type: 'patient.created',
      data: {},
    };
    expect(await verifyEvent(received(JSON.stringify(event)), secret)).toMatchObject({
      ok: true,
      payload: { type: 'patient.created' },
    });
    expect(await verifyEvent(received(), secret)).toEqual({ ok: false, reason: 'malformed' });
  });

  test('is what a library of Standard Webhooks does too', () => {
    const headers = deliveryHeaders(secret, 'id-1', body);
    const webhook = new Webhook(standardSecret(secret));
    expect(webhook.verify(body, headers)).toMatchObject({ status: 'submitted' });
    expect(() => webhook.verify(`${body} `, headers)).toThrow('No matching signature found');
    expect(() => new Webhook(standardSecret('guess')).verify(body, headers)).toThrow(
      'No matching signature found',
    );
  });
});

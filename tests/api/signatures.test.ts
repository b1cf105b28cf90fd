import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { claimRequest } from '../../db/answered-requests.js';
import { createSql, type Sql } from '../../db/client.js';
import { sha256 } from '../../platform/crypto/ids.js';
import { sign, signedHeaders, signedHeadersV2, signV2 } from '../../platform/crypto/signature.js';
import type { ServiceName } from '../../platform/service-names.js';
import { atOnce, eventually, mailboxOf, shared } from '../helpers/client.js';
import { refusalOf, signedRoutes } from '../helpers/openapi.js';
import { startReceiver } from '../helpers/receiver.js';
import { inState } from '../helpers/prescription.js';
import { rx, withKey } from '../cli/rx.js';

let dev = shared();
/** The own profile first finds out whose key it is. */
const changing = (await signedRoutes(dev)).filter(
  ({ method, path }) => method !== 'GET' && !path.startsWith('/physicians/me'),
);
const keyOf = (name: string) => ({ keyId: dev.apiKeys[name]!.key, secret: dev.apiKeys[name]!.secret });

interface Sent {
  service: ServiceName;
  method: string;
  path: string;
  /** '': none. */
  body: string;
  headers: Record<string, string>;
}
/** Sends bytes that are signed already. */
async function send({ service, method, path, body, headers }: Sent) {
  const response = await fetch(dev.services[service] + path, {
    method,
    headers: { ...headers, ...(body === '' ? {} : { 'content-type': 'application/json' }) },
    ...(body === '' ? {} : { body }),
  });
  const replayed = response.headers.get('idempotent-replayed');
  return { status: response.status, body: (await response.json()) as Record<string, unknown>, replayed };
}
const signed = (request: Omit<Sent, 'headers'>, key: string): Sent => ({
  ...request,
  headers: signedHeaders(keyOf(key), request.body),
});

let sql: Sql;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 2 });
  dev = await withKey(dev, 'strict', '--scopes', 'registry', '--signature-version', '2');
});
afterAll(() => sql.end());

describe('a signature of version 2', () => {
  const get: Omit<Sent, 'headers'> = {
    service: 'registry',
    method: 'GET',
    path: '/physicians?limit=1&active=true',
    body: '',
  };
  const post = (): Omit<Sent, 'headers'> => ({
    service: 'orchestrator',
    method: 'POST',
    path: '/orchestrator/refill-schedules',
    body: JSON.stringify({ emrPatientId: randomUUID(), medication: 'nad', totalRefillsAllowed: 1 }),
  });
  const v2 = (request: Omit<Sent, 'headers'>, key = 'registry'): Sent => ({
    ...request,
    headers: signedHeadersV2(keyOf(key), request, request.body),
  });
  /** Signed with parts of one's own. */
  function v2With(parts: Partial<Parameters<typeof signV2>[1]> & { body?: string }): Sent {
    const timestamp = parts.timestamp ?? new Date().toISOString();
    const nonce = parts.nonce ?? randomBytes(16).toString('hex');
    const { keyId, secret } = keyOf('registry');
    const { method, path } = get;
    const signature = signV2(secret, { method, path, ...parts, timestamp, nonce }, parts.body ?? '');
    return {
      ...get,
      headers: {
        'x-api-key': keyId,
        'x-signature-version': '2',
        'x-timestamp': timestamp,
        'x-nonce': nonce,
        'x-signature': signature,
      },
    };
  }

  test('opens a route with and without a body, for every key, and for one that takes nothing else', async () => {
    expect((await send(v2(get))).status).toBe(200);
    expect((await send(v2(get, 'strict'))).status).toBe(200);
    expect((await send(v2(post(), 'approvals'))).status).toBe(201);
    expect((await send({ ...v2(get), headers: v2With({}).headers })).status).toBe(200);
  });

  test('is the only one that a key made for it takes', async () => {
    const { status, body } = await send(signed(get, 'strict'));
    expect([status, body]).toEqual([401, { error: 'Invalid signature' }]);
  });

  test('opens once: the same nonce is refused, at the same moment too, also with another signature', async () => {
    const request = v2(get);
    const answers = await atOnce(8, () => send(request));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const used = { status: 401, body: { error: 'Nonce already used' }, replayed: null };
    expect(answers.filter(({ status }) => status !== 200)).toEqual(Array(7).fill(used));
    const nonce = request.headers['x-nonce']!;
    expect(await send(v2With({ nonce, timestamp: new Date(Date.now() + 1_000).toISOString() }))).toEqual(
      used,
    );
  });

  test('does not let a nonce be used up by who cannot sign', async () => {
    const request = v2(get);
    const forged = { ...request, headers: { ...request.headers, 'x-signature': 'f'.repeat(64) } };
    expect((await send(forged)).body).toEqual({ error: 'Invalid signature' });
    expect((await send(request)).status).toBe(200);
  });

  test.each<[string, Partial<Sent>]>([
    ['another method', { method: 'POST', body: '' }],
    ['another path', { path: '/physicians/me' }],
    ['another query', { path: '/physicians?active=true&limit=1' }],
  ])('is no signature for %s', async (_name, change) => {
    const { status, body } = await send({ ...v2(get), ...change });
    expect([status, body]).toEqual([401, { error: 'Invalid signature' }]);
  });

  test('is no signature for another body, nor for one where there was none', async () => {
    for (const body of ['', '{"a":1}']) {
      const request = v2({ ...get, method: 'POST', body });
      expect((await send({ ...request, body: '{}' })).body).toEqual({ error: 'Invalid signature' });
    }
  });

  test.each<[string, () => Sent, string]>([
    ['no body signed as {}', () => v2With({ body: '{}' }), 'Invalid signature'],
    ['an old timestamp', () => v2With({ timestamp: '2020-01-01T00:00:00Z' }), 'Timestamp expired'],
    ['a timestamp without a zone', () => v2With({ timestamp: '2020-01-01T00:00:00' }), 'Invalid timestamp'],
    ['a short nonce', () => v2With({ nonce: 'x'.repeat(15) }), 'Invalid nonce'],
    ['a long nonce', () => v2With({ nonce: 'x'.repeat(65) }), 'Invalid nonce'],
    ['a nonce with a blank', () => v2With({ nonce: 'x'.repeat(15) + ' x' }), 'Invalid nonce'],
    [
      'a version there is not',
      () => ({ ...get, headers: { ...v2With({}).headers, 'x-signature-version': '3' } }),
      'Invalid signature',
    ],
    [
      'version 1 said of it',
      () => ({ ...get, headers: { ...v2With({}).headers, 'x-signature-version': '1' } }),
      'Invalid signature',
    ],
    ...['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature'].map((missing): [string, () => Sent, string] => [
      `no ${missing}`,
      () => {
        const { headers, ...request } = v2With({});
        return {
          ...request,
          headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== missing)),
        };
      },
      'Missing authentication headers',
    ]),
  ])('401: %s', async (_name, request, error) => {
    const { status, body } = await send(request());
    expect([status, body]).toEqual([401, { error }]);
  });

  test('is what rx signs with', async () => {
    const noncesOf = async () => {
      // Without the signatures of version 1, which are kept here too.
      const used = await sql<{ nonce: string }[]>`
        select nonce from access.nonce where key_id = ${keyOf('registry').keyId} and length(nonce) < 64
      `;
      return used.map(({ nonce }) => nonce);
    };
    const before = await noncesOf();
    const { stdout } = await rx('call', 'registry', 'GET', '/physicians?limit=1&organization=a b');
    expect(stdout.split('\n')[0]).toBe('200');
    expect((await noncesOf()).filter((nonce) => !before.includes(nonce))).toHaveLength(1);
  });

  test('leaves no nonce behind for good: whoever comes later takes the old ones away', async () => {
    const { keyId } = keyOf('registry');
    const nonce = randomBytes(16).toString('hex');
    await sql`
      insert into access.nonce (key_id, nonce, expires_at) values (${keyId}, ${nonce}, now() - interval '2 minutes')
    `;
    await eventually(async () => {
      await send(v2(get));
      return (await sql`select 1 from access.nonce where nonce = ${nonce}`).length === 0;
    });
  });
});

describe('a signature of version 1', () => {
  const used = [401, { error: 'Signature already used' }];
  const answerTo = async (request: Sent) => {
    const { status, body } = await send(request);
    return [status, body];
  };
  const schedule = (): Omit<Sent, 'headers'> => ({
    service: 'orchestrator',
    method: 'POST',
    path: '/orchestrator/refill-schedules',
    body: JSON.stringify({ emrPatientId: randomUUID(), medication: 'nad', totalRefillsAllowed: 1 }),
  });
  const approval = (): Omit<Sent, 'headers'> => ({
    service: 'orchestrator',
    method: 'POST',
    path: '/orchestrator/preflight',
    body: JSON.stringify({ taskId: randomUUID(), medication: 'nad', emrPatientId: randomUUID() }),
  });

  test('creates nothing again under another query or another spelling of the path (D158)', async () => {
    const request = signed(schedule(), 'approvals');
    expect((await send(request)).status).toBe(201);
    for (const path of [`${request.path}?1`, `${request.path}?2`, '/orchestrator/%72efill-schedules'])
      expect(await answerTo({ ...request, path })).toEqual(used);
    expect(await send(request)).toMatchObject({ status: 201, replayed: 'true' });
  });

  test('of a check starts no approval, and of a denial no cancellation (D158)', async () => {
    const checked = signed(approval(), 'approvals');
    expect((await send(checked)).status).toBe(200);
    expect(await answerTo({ ...checked, path: '/orchestrator/approve' })).toEqual(used);
    const { taskId } = JSON.parse(checked.body) as { taskId: string };
    expect(await sql`select from orchestrator.task where task_id = ${taskId}`).toHaveLength(0);

    const body = JSON.stringify({ taskId: randomUUID(), reason: 'other' });
    const denied = signed(
      { service: 'orchestrator', method: 'POST', path: '/orchestrator/deny', body },
      'approvals',
    );
    expect((await send(denied)).status).toBe(200);
    expect(await answerTo({ ...denied, path: '/orchestrator/cancel' })).toEqual(used);
  });

  test('of an approval opens nothing else, and the same approval again (D158)', async () => {
    const approved = signed({ ...approval(), path: '/orchestrator/approve' }, 'approvals');
    expect((await send(approved)).status).toBe(500);
    expect(await answerTo({ ...approved, path: '/orchestrator/deny' })).toEqual(used);
    expect((await send(approved)).status).toBe(500);
  });

  test('sends one message, whatever its idempotency key is changed to (D158)', async () => {
    const email = `${randomUUID()}@example.test`;
    const request = signed(
      {
        service: 'notification',
        method: 'POST',
        path: '/notify/send',
        body: JSON.stringify({
          type: 'receipt',
          recipient: { email, name: 'Ada' },
          variables: { patientName: 'Ada', amount: '$50', orderNumber: randomUUID() },
        }),
      },
      'notifier',
    );
    expect((await send(request)).status).toBe(200);
    const other = { ...request.headers, 'idempotency-key': randomUUID() };
    expect(await answerTo({ ...request, headers: other })).toEqual(used);
    expect(await answerTo({ ...request, path: '/notify/send?1' })).toEqual(used);
  });

  test('that read opens other readings, and nothing that changes something (D158)', async () => {
    const read = signed(
      { service: 'registry', method: 'GET', path: '/physicians?limit=1', body: '' },
      'admin',
    );
    expect((await send(read)).status).toBe(200);
    expect((await send({ ...read, path: '/physicians?limit=2' })).status).toBe(200);
    const path = `/physicians/${randomUUID()}/reactivate`;
    expect(await answerTo({ ...read, method: 'POST', path })).toEqual(used);
  });

  test('that read opens none of all the routes that change something (D158)', async () => {
    const { headers } = signed(
      { service: 'registry', method: 'GET', path: '/physicians?limit=1', body: '' },
      'admin',
    );
    const read = {
      service: 'registry',
      method: 'GET',
      path: '/physicians?limit=1',
      body: '',
      headers,
    } as const;
    expect((await send(read)).status).toBe(200);
    expect(changing.length).toBeGreaterThan(50);
    for (const route of changing) {
      const { status, body } = await send({ ...route, body: '{}', headers });
      // A request that the contract rejects has passed all earlier checks.
      if (status !== 400)
        expect([route.path, status, body]).toEqual([
          route.path,
          401,
          refusalOf(route, 'Signature already used'),
        ]);
    }
  });

  test('opens one of two routes that get it at the same moment (D158)', async () => {
    const request = signed(schedule(), 'approvals');
    const answers = await Promise.all(
      ['', '?1', '?2', '?3'].map((query) => send({ ...request, path: request.path + query })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401]);
  });
});

describe('a route that asks for no body', () => {
  const routes: [ServiceName, string, string][] = [
    ['registry', 'DELETE', `/physicians/${randomUUID()}`],
    ['registry', 'POST', `/physicians/${randomUUID()}/reactivate`],
    ['orchestrator', 'POST', `/orchestrator/refill-schedules/${randomUUID()}/cancel`],
    ['orchestrator', 'POST', `/orchestrator/payments/${randomUUID()}/retry`],
    ['orchestrator', 'POST', '/orchestrator/refill-check'],
    ['router', 'POST', `/rx/prescriptions/${randomUUID()}/callbacks/${randomUUID()}/redeliver`],
  ];
  const refused = (service: ServiceName) => ({
    error: 'Validation failed',
    details:
      service === 'router'
        ? { fieldErrors: {}, formErrors: ['must be empty or {}'] }
        : [{ path: '', message: 'must be empty or {}' }],
  });

  test.each(routes)('400: %s %s %s with a body of another kind', async (service, method, path) => {
    for (const body of ['{"status":"shipped"}', '[]', 'null', '""', '0']) {
      const answer = await send(signed({ service, method, path, body }, 'admin'));
      expect([answer.status, answer.body]).toEqual([400, refused(service)]);
    }
  });

  test.each(routes.filter(([, , path]) => path !== '/orchestrator/refill-check'))(
    '404: %s %s %s takes none, and {}',
    async (service, method, path) => {
      for (const body of ['', '{}', ' { } '])
        expect((await send(signed({ service, method, path, body }, 'admin'))).status).toBe(404);
    },
  );
});

describe('the signature of what a client receives', () => {
  test('opens none of all the routes that change something: neither a callback nor an event (D91)', async () => {
    const receiver = await startReceiver(() => 200);
    try {
      dev = await withKey(
        dev,
        'receiving',
        '--scopes',
        'admin',
        '--client',
        `c-${randomUUID().slice(0, 13)}`,
      );
      const post = (service: ServiceName, path: string, body: string, method = 'POST') =>
        send(signed({ service, method, path, body }, 'receiving'));
      const submission = JSON.stringify({ ...inState('WA'), callbackUrl: receiver.url });
      const submitted = await post('router', '/rx/prescriptions/submit', submission);
      expect(submitted.status).toBe(201);
      await eventually(async () => receiver.received[0]);
      const endpoint = '/orchestrator/event-endpoint';
      const set = await post('orchestrator', endpoint, JSON.stringify({ url: receiver.url }), 'PUT');
      expect(set.status).toBe(200);
      expect((await post('orchestrator', `${endpoint}/test`, '')).body).toMatchObject({ status: 200 });
      const [callback, delivery] = receiver.received.map(({ headers, body }) => ({
        body,
        headers: {
          'x-api-key': keyOf('receiving').keyId,
          'x-timestamp': String(headers['x-timestamp']),
          'x-signature': String(headers['x-signature']),
        },
      }));

      const own = `/rx/prescriptions/${String(submitted.body['submissionId'])}/cancel`;
      const routes = [{ service: 'router', method: 'POST', path: own } as const, ...changing];
      expect(routes.length).toBeGreaterThan(50);
      for (const route of routes)
        for (const received of [callback!, delivery!]) {
          const { status } = await send({ ...route, ...received });
          expect([route, received.body, status]).toEqual([route, received.body, 400]);
        }
    } finally {
      await receiver.stop();
    }
  });

  test('is the same bytes as version 1: a body without a field that the route knows is 400', async () => {
    const path = `/rx/prescriptions/${randomUUID()}/cancel`;
    const request = (body: string) => ({ service: 'router', method: 'POST', path, body }) as const;
    const unknown = request('{"notes":1}');
    const formErrors = ['has no known field'];
    expect(await send(signed(unknown, 'admin'))).toMatchObject({
      status: 400,
      body: { details: { formErrors } },
    });
    for (const body of ['', '{}', '{"reason":"other","notes":1}'])
      expect((await send(signed(request(body), 'admin'))).status).toBe(404);
    const headers = signedHeadersV2(keyOf('admin'), unknown, unknown.body);
    expect((await send({ ...unknown, headers })).status).toBe(404);
  });
});

describe('a creating request that is sent again, byte for byte', () => {
  let physicianId: string;
  beforeAll(async () => (physicianId = await made('physician', signed(newPhysician(), 'registry'))));

  const newPhysician = (changes: object = {}): Omit<Sent, 'headers'> => ({
    service: 'registry',
    method: 'POST',
    path: '/physicians',
    body: JSON.stringify({ firstName: 'Sam', lastName: 'Ito', npi: '1000000004', ...changes }),
  });
  const newLicense = (state: string): Omit<Sent, 'headers'> => ({
    service: 'registry',
    method: 'POST',
    path: `/physicians/${physicianId}/licenses`,
    body: JSON.stringify({ state, licenseNumber: `${state}-1` }),
  });
  const requests: [string, () => Sent][] = [
    [
      'POST /orchestrator/refill-schedules',
      () =>
        signed(
          {
            service: 'orchestrator',
            method: 'POST',
            path: '/orchestrator/refill-schedules',
            body: JSON.stringify({ emrPatientId: randomUUID(), medication: 'nad', totalRefillsAllowed: 1 }),
          },
          'approvals',
        ),
    ],
    ['POST /physicians', () => signed(newPhysician(), 'registry')],
    ['POST /physicians/:id/licenses', () => signed(newLicense('OH'), 'registry')],
    [
      'POST /routing-rules',
      () =>
        signed(
          {
            service: 'registry',
            method: 'POST',
            path: '/routing-rules',
            body: JSON.stringify({ platform: 'platform_b', state: 'AK', physicianId, priority: 1 }),
          },
          'admin',
        ),
    ],
  ];

  async function made(what: string, request: Sent): Promise<string> {
    const { status, body } = await send(request);
    expect(status).toBe(201);
    return (body[what] as { id: string }).id;
  }

  test.each(requests)(
    '%s: creates once and gets the first answer, also ten at once',
    async (_name, request) => {
      const sent = request();
      const answers = await atOnce(10, () => send(sent));
      answers.push(await send(sent));
      expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
      expect(answers[0]?.status).toBe(201);
      expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
      expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(10);
    },
  );

  test('POST /notify/send without a key: sends once and gets the first answer, also five at once', async () => {
    const email = `${randomUUID()}@example.test`;
    const body = JSON.stringify({
      type: 'receipt',
      recipient: { email, name: 'Ada' },
      variables: { patientName: 'Ada', amount: '$50', orderNumber: randomUUID() },
    });
    const request: Omit<Sent, 'headers'> = {
      service: 'notification',
      method: 'POST',
      path: '/notify/send',
      body,
    };
    const sent = signed(request, 'notifier');
    const answers = await atOnce(5, () => send(sent));
    answers.push(await send(sent));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1);
    expect(await mailboxOf(dev, email)).toHaveLength(1);
    expect((await send(signed(request, 'notifier'))).replayed).toBeNull();
    expect(await mailboxOf(dev, email)).toHaveLength(2);
  });

  test('is another request when it is signed anew, or by another key', async () => {
    const request = newPhysician();
    const first = signed(request, 'registry');
    const id = await made('physician', first);
    expect(await made('physician', signed(request, 'registry'))).not.toBe(id);
    const timestamp = first.headers['x-timestamp']!;
    const { keyId, secret } = keyOf('admin');
    const byAdmin = {
      'x-api-key': keyId,
      'x-timestamp': timestamp,
      'x-signature': sign(secret, timestamp, request.body),
    };
    expect(await made('physician', { ...first, headers: byAdmin })).not.toBe(id);
  });

  test('keeps a refusal too: what was refused is not made later by the same bytes', async () => {
    const license = await made('license', signed(newLicense('NV'), 'registry'));
    const second = signed(newLicense('NV'), 'registry');
    const refusal = { status: 409, body: { error: 'An active license for this state already exists' } };
    expect(await send(second)).toEqual({ ...refusal, replayed: null });
    const path = `/physicians/${physicianId}/licenses/${license}`;
    const ended = await send(signed({ service: 'registry', method: 'DELETE', path, body: '' }, 'registry'));
    expect(ended.status).toBe(200);
    expect(await send(second)).toEqual({ ...refusal, replayed: 'true' });
  });

  test('begins anew where the process that had it died on the way', async () => {
    const sent = signed(newPhysician(), 'registry');
    const parts = [keyOf('registry').keyId, 'POST', sent.path, sent.headers['x-signature']];
    const digest = Buffer.from(sha256(JSON.stringify(parts)), 'hex');
    const dying = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
    let answered: ReturnType<typeof send> | undefined;
    await dying
      .begin(async (held) => {
        await claimRequest(held, 'registry', { digest, expiresAt: new Date(Date.now() + 60_000) });
        answered = send(sent);
        await eventually(async () => {
          const waiting = await sql`
            select 1 from pg_stat_activity
            where wait_event_type = 'Lock' and query like '%registry%answered_request%'
          `;
          return waiting.length > 0;
        });
        throw new Error('died');
      })
      .catch(() => undefined);
    await dying.end();
    expect(await answered).toMatchObject({ status: 201, replayed: null });
    expect(await send(sent)).toMatchObject({ status: 201, replayed: 'true' });
  });
});

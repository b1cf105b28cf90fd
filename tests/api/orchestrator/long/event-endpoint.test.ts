import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { standardSecret } from '../../../../clients/typescript/src/receive.js';
import { createSql, type Sql } from '../../../../db/client.js';
import { recordEvent } from '../../../../db/orchestrator/events.js';
import { taskKey } from '../../../../domain/clients.js';
import { sign } from '../../../../platform/crypto/signature.js';
import { keyFrom, rx, withKey } from '../../../cli/rx.js';
import { adminToken, call, callAs, eventually, shared } from '../../../helpers/client.js';
import { type Answer, type Receiver, startReceiver } from '../../../helpers/receiver.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';

const path = '/orchestrator/event-endpoint';
const base = shared();
let sql: Sql;
let temporal: TemporalView;
beforeAll(async () => {
  sql = createSql(base.databaseUrl, { applicationName: 'test', max: 3 });
  temporal = await openTemporal(base);
});
afterAll(async () => {
  await temporal.close();
  await sql.end();
});
const receivers: Receiver[] = [];
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

interface Endpoint {
  url: string;
  types: string[] | null;
  state: string;
  deliveredUpTo: number;
  failingSince: string | null;
  lastError: string | null;
}
interface Sent {
  sequence: number;
  type: string;
  taskId: string | null;
}

/** A client of its own, with a key, events, and receivers that follow it. */
async function newClient() {
  const client = `c-${randomUUID().slice(0, 13)}`;
  const dev = await withKey(base, client, '--scopes', 'orchestrator', '--client', client);
  const ask = <T = { endpoint: Endpoint }>(method: string, rest = '', body?: unknown) =>
    call<T>(dev, 'orchestrator', {
      key: client,
      method,
      path: path + rest,
      ...(body === undefined ? {} : { body }),
    });
  const endpoint = async () => (await ask('GET')).body.endpoint;
  return {
    client,
    secret: dev.apiKeys[client]!.secret,
    keyId: dev.apiKeys[client]!.key,
    ask,
    endpoint,
    record: async (count: number, type: 'approval.denied' | 'payment.disputed' = 'approval.denied') => {
      for (let n = 0; n < count; n += 1) {
        const taskId = taskKey(client, `task-${n}`);
        const data = type === 'approval.denied' ? { runId: 'r' } : { amountCents: 1, currency: 'usd' };
        await recordEvent(sql, { type, taskId, data } as never);
      }
    },
    listen: async (answer: (count: number, body: string) => Answer = () => 200, port = 0) => {
      const receiver = await startReceiver(({ count, body }) => answer(count, body), port);
      receivers.push(receiver);
      return receiver;
    },
    reaches: (sequence: number) => eventually(async () => (await endpoint()).deliveredUpTo === sequence),
  };
}
const eventsIn = (body: string) => (JSON.parse(body) as { events: Sent[] }).events;
/** Events of a receiver that recognizes a repeat by its `webhook-id`. */
function takenBy(receiver: Receiver): number[] {
  const known = new Map<string, number[]>();
  for (const { headers, body } of receiver.received)
    known.set(
      String(headers['webhook-id']),
      eventsIn(body).map(({ sequence }) => sequence),
    );
  return [...known.values()].flat();
}
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('PUT /orchestrator/event-endpoint (D130)', () => {
  test('delivers what comes after it, signed as callbacks and by Standard Webhooks', async () => {
    const own = await newClient();
    await own.record(2);
    const receiver = await own.listen();
    const { status, body } = await own.ask('PUT', '', { url: receiver.url });
    expect([status, body]).toEqual([
      200,
      {
        endpoint: {
          url: receiver.url,
          types: null,
          state: 'enabled',
          deliveredUpTo: 2,
          failingSince: null,
          lastError: null,
        },
      },
    ]);
    await own.record(3);
    await own.reaches(5);
    expect(takenBy(receiver)).toEqual([3, 4, 5]);
    const page = await call<{ events: unknown[] }>(
      { ...base, apiKeys: { own: { key: own.keyId, secret: own.secret, scopes: [] } } },
      'orchestrator',
      { key: 'own', path: '/orchestrator/events?after=2' },
    );
    expect(receiver.received.flatMap(({ body }) => eventsIn(body))).toEqual(page.body.events);
    for (const { headers, body } of receiver.received) {
      const timestamp = String(headers['x-timestamp']);
      expect(headers['x-signature']).toBe(sign(own.secret, timestamp, body));
      expect(headers['x-callback-id']).toBe(headers['webhook-id']);
      const given = headers as Record<string, string>;
      expect(new Webhook(standardSecret(own.secret)).verify(body, given)).toEqual(JSON.parse(body));
    }
  });

  test('ends with every event in order at a receiver that refuses, redirects, forgets to answer and is killed', async () => {
    const own = await newClient();
    const answers: Answer[] = [
      500,
      410,
      { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
      'reset',
      404,
      200,
      'reset',
      200,
    ];
    const receiver = await own.listen((count) => answers[count - 1] ?? 200);
    await own.ask('PUT', '', { url: receiver.url });
    await own.record(230);
    await eventually(() => Promise.resolve(receiver.received.length >= 9));
    await receiver.stop();
    receivers.pop();
    await own.record(20);
    await eventually(async () => (await own.endpoint()).lastError !== null);
    const back = await own.listen(() => 204, Number(new URL(receiver.url).port));
    await own.reaches(250);
    const both = { ...receiver, received: [...receiver.received, ...back.received] };
    expect(takenBy(both)).toEqual(upTo(250));
    expect(receiver.mostAtOnce()).toBe(1);
    const byId = new Map<string, Set<string>>();
    for (const { headers, body } of both.received) {
      const id = String(headers['webhook-id']);
      byId.set(id, (byId.get(id) ?? new Set()).add(body));
      expect(eventsIn(body).length).toBeLessThanOrEqual(100);
    }
    expect([...byId.values()].map((bodies) => bodies.size)).toEqual([...byId].map(() => 1));
    expect(await own.endpoint()).toMatchObject({ state: 'enabled', failingSince: null, lastError: null });
  });

  test('gives a receiver that hangs 10 s, then sends the same again', async () => {
    const own = await newClient();
    const receiver = await own.listen((count) => (count === 1 ? 'hang' : 200));
    await own.ask('PUT', '', { url: receiver.url });
    await own.record(1);
    await own.reaches(1);
    const [first, second] = receiver.received;
    expect(second).toMatchObject({ body: first!.body });
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  });

  test('passes over types that are not asked for', async () => {
    const own = await newClient();
    const receiver = await own.listen();
    const types = ['payment.*', 'order.shipped'];
    const { body } = await own.ask('PUT', '', { url: receiver.url, types });
    expect(body.endpoint.types).toEqual(types);
    await own.record(2);
    await own.reaches(2);
    await own.record(1, 'payment.disputed');
    await own.record(1);
    await own.reaches(4);
    expect(takenBy(receiver)).toEqual([3]);
  });

  test('keeps its position while disabled, and continues there with a new url', async () => {
    const own = await newClient();
    const first = await own.listen();
    await own.ask('PUT', '', { url: first.url });
    await own.record(1);
    await own.reaches(1);
    const { body } = await own.ask('PUT', '', { url: first.url, state: 'disabled' });
    expect(body.endpoint).toMatchObject({ state: 'disabled', deliveredUpTo: 1 });
    await own.record(2);
    const second = await own.listen();
    await own.ask('PUT', '', { url: second.url });
    await own.reaches(3);
    expect([takenBy(first), takenBy(second)]).toEqual([[1], [2, 3]]);
  });

  test.each([
    [{}, 'url'],
    [{ url: 'ftp://receiver.example' }, 'url'],
    [{ url: 'https://receiver.example', types: ['order.lost'] }, 'types.0'],
    [{ url: 'https://receiver.example', types: [] }, 'types'],
    [{ url: 'https://receiver.example', state: 'failing' }, 'state'],
  ])('rejects %j', async (body, field) => {
    const answer = await call<{ details: { path: string }[] }>(base, 'orchestrator', {
      method: 'PUT',
      path,
      body,
    });
    expect([answer.status, answer.body.details[0]?.path]).toEqual([400, field]);
  });
});

describe('an endpoint', () => {
  test('is 404 for its client before it is set and after it is removed', async () => {
    const own = await newClient();
    const asked = () =>
      Promise.all([
        own.ask('GET'),
        own.ask('DELETE'),
        own.ask('POST', '/rewind', { after: 0 }),
        own.ask('POST', '/test'),
      ]);
    for (const { status } of await asked()) expect(status).toBe(404);
    await own.ask('PUT', '', { url: 'https://receiver.example/events' });
    expect((await own.ask('DELETE')).status).toBe(204);
    for (const { status } of await asked()) expect(status).toBe(404);
  });

  test('is rewound, also a disabled one, and delivers the same events again under other ids', async () => {
    const own = await newClient();
    const receiver = await own.listen();
    await own.ask('PUT', '', { url: receiver.url });
    await own.record(3);
    await own.reaches(3);
    expect((await own.ask('POST', '/rewind', { after: 1 })).status).toBe(200);
    await own.reaches(3);
    await eventually(() => Promise.resolve(takenBy(receiver).length === 5));
    expect(takenBy(receiver)).toEqual([1, 2, 3, 2, 3]);
    await own.ask('PUT', '', { url: receiver.url, state: 'disabled' });
    const { body } = await own.ask('POST', '/rewind', { after: 0 });
    expect(body.endpoint).toMatchObject({ state: 'enabled', deliveredUpTo: 0 });
    await eventually(() => Promise.resolve(takenBy(receiver).length === 8));
    expect(takenBy(receiver).slice(5)).toEqual([1, 2, 3]);
    for (const after of [4, -1, 1.5, 'latest'])
      expect((await own.ask('POST', '/rewind', { after })).status).toBe(400);
  });

  test('is tested by one event that moves nothing, between two deliveries', async () => {
    const own = await newClient();
    const receiver = await own.listen((count) => (count === 1 ? 418 : 200));
    await own.ask('PUT', '', { url: receiver.url });
    const { status, body } = await own.ask<{ status: number; durationMs: number }>('POST', '/test');
    expect([status, body]).toEqual([200, { status: 418, durationMs: expect.any(Number) }]);
    expect(eventsIn(receiver.received[0]!.body)).toEqual([
      {
        id: expect.any(String),
        sequence: 0,
        type: 'test',
        at: expect.any(String),
        taskId: null,
        planId: null,
        data: {},
      },
    ]);
    expect(await own.endpoint()).toMatchObject({ deliveredUpTo: 0, lastError: null });
    await receiver.stop();
    receivers.pop();
    expect((await own.ask('POST', '/test')).body).toEqual({ status: null, durationMs: expect.any(Number) });
  });

  test('is disabled with its key, and enabled by another key of the client', async () => {
    const own = await newClient();
    const receiver = await own.listen();
    await own.ask('PUT', '', { url: receiver.url });
    const other = await keyFrom('create', 'other', '--scopes', 'orchestrator', '--client', own.client);
    const dev = { ...base, apiKeys: { other: { ...other, scopes: [] } } };
    await rx('keys', 'revoke', own.keyId);
    const read = () => call<{ endpoint: Endpoint }>(dev, 'orchestrator', { key: 'other', path });
    expect((await read()).body.endpoint.state).toBe('disabled');
    await own.record(2);
    await eventually(async () => {
      const [row] = await sql`select state from orchestrator.event_endpoint where client = ${own.client}`;
      return row!['state'] === 'disabled';
    });
    expect(receiver.received).toEqual([]);
    await call(dev, 'orchestrator', { key: 'other', method: 'PUT', path, body: { url: receiver.url } });
    await eventually(async () => (await read()).body.endpoint.deliveredUpTo === 2);
    const [{ headers, body } = receiver.received[0]!] = receiver.received;
    expect(headers['x-signature']).toBe(sign(other.secret, String(headers['x-timestamp']), body));
  });

  test('is delivered to again when its run was terminated', async () => {
    const own = await newClient();
    const receiver = await own.listen((count) => (count < 4 ? 503 : 200));
    await own.ask('PUT', '', { url: receiver.url });
    await own.record(1);
    const run = temporal.client.workflow.getHandle(`endpoint:${own.client}`);
    await eventually(async () => (await own.endpoint()).lastError === 'The receiver answered 503');
    await run.terminate('lost');
    await own.reaches(1);
    expect(takenBy(receiver)).toEqual([1]);
  });
});

describe('the work item endpoint_failing', () => {
  const itemOf = async (client: string) => {
    const [item] = await sql<
      { id: string; state: string; reason: string; refersTo: object; closedBy: string | null }[]
    >`
      select id, state, reason, refers_to, closed_by from orchestrator.work_item
      where kind = 'endpoint_failing' and fact = ${`endpoint:${client}`}
    `;
    return item;
  };
  const read = async (id: string) => {
    const token = await adminToken(base);
    return eventually(async () => {
      const path = `/v1/work-items/${id}`;
      const { status, body } = await callAs<{ context: object; effects: object }>(base, 'worklist', token, {
        path,
      });
      return status === 200 && body;
    });
  };
  const answer = async (id: string, given: string) => {
    const token = await adminToken(base);
    await read(id);
    return callAs(base, 'worklist', token, {
      method: 'POST',
      path: `/v1/work-items/${id}/answer`,
      body: { answer: given },
    });
  };
  /** An endpoint that has failed for so long, and whose next try is now. */
  async function failed(minutes: number) {
    const own = await newClient();
    const is = { up: false };
    const receiver = await own.listen(() => (is.up ? 200 : 503));
    await own.ask('PUT', '', { url: receiver.url });
    await own.record(1);
    await eventually(async () => (await own.endpoint()).failingSince !== null);
    expect(await itemOf(own.client)).toBeUndefined();
    await sql`
      update orchestrator.event_endpoint set failing_since = now() - ${minutes} * interval '1 minute'
      where client = ${own.client}
    `;
    return { own, is, receiver };
  }

  test('opens after an hour, and is closed by the system with the next 2xx', async () => {
    const { own, is, receiver } = await failed(61);
    await eventually(async () => (await own.endpoint()).state === 'failing');
    expect(await itemOf(own.client)).toMatchObject({
      state: 'open',
      reason: 'refused',
      refersTo: { keyId: own.keyId, client: own.client },
    });
    expect(await own.endpoint()).toMatchObject({ lastError: 'The receiver answered 503' });
    const known = await read((await itemOf(own.client))!.id);
    expect(known.context).toMatchObject({
      callbackUrl: receiver.url,
      lastError: 'The receiver answered 503',
    });
    expect(known.effects).toEqual({
      try_again: "Sends the waiting events to the client's system at once.",
      disable: 'Sends no more events until the endpoint is enabled. None is lost.',
      dismiss: 'Closes the item. Nothing else changes.',
    });
    is.up = true;
    await own.reaches(1);
    expect(await itemOf(own.client)).toMatchObject({ state: 'closed', closedBy: 'system' });
    expect((await own.endpoint()).state).toBe('enabled');
  });

  test('sends at once by try_again, stops by disable, and stays closed after dismiss', async () => {
    const { own, is } = await failed(61);
    await eventually(async () => (await itemOf(own.client))?.state === 'open');
    // The next try is far away.
    await sql`
      update orchestrator.event_endpoint set next_attempt_at = now() + interval '1 day' where client = ${own.client}
    `;
    expect((await answer((await itemOf(own.client))!.id, 'try_again')).status).toBe(200);
    await eventually(async () => (await itemOf(own.client))?.state === 'open');
    // A failure that is reported at that moment is a conflict, and the person answers again.
    await eventually(async () => (await answer((await itemOf(own.client))!.id, 'dismiss')).status === 200);
    const attempts = async () =>
      (
        await sql<{ attempts: number }[]>`
        select attempts from orchestrator.event_endpoint where client = ${own.client}
      `
      )[0]!.attempts;
    const before = await attempts();
    await eventually(async () => (await attempts()) > before);
    expect((await itemOf(own.client))?.state).toBe('closed');
    is.up = true;
    await own.reaches(1);

    const other = await failed(61);
    await eventually(async () => (await itemOf(other.own.client))?.state === 'open');
    expect((await answer((await itemOf(other.own.client))!.id, 'disable')).status).toBe(200);
    expect(await other.own.endpoint()).toMatchObject({ state: 'disabled', deliveredUpTo: 0 });
  });

  test('says that an endpoint is given up after 30 days; try_again enables it', async () => {
    const { own, is } = await failed(30 * 24 * 60 + 1);
    await eventually(async () => (await own.endpoint()).state === 'disabled');
    const item = await itemOf(own.client);
    expect(item).toMatchObject({ state: 'open', reason: 'given_up' });
    is.up = true;
    await answer(item!.id, 'try_again');
    await own.reaches(1);
    expect((await own.endpoint()).state).toBe('enabled');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../../db/client.js';
import { sign } from '../../../../platform/crypto/signature.js';
import { atOnce, call, eventually, sandbox, shared } from '../../../helpers/client.js';
import { type Answer, type Received, type Receiver, startReceiver } from '../../../helpers/receiver.js';
import { inState } from '../../../helpers/prescription.js';
import { rx, withKey } from '../../../cli/rx.js';

interface Callback {
  id: string;
  kind: string;
  state: string;
  payload: Record<string, unknown>;
  attempts: { at: string; status: number | null; error: string | null; durationMs: number }[];
  nextAttemptAt: string | null;
}
interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
}

const dev = shared();
const receivers: Receiver[] = [];
let sql: Sql;
beforeAll(() => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
});
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await sql.end();
});

async function receiver(answerTo: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answerTo);
  receivers.push(started);
  return started;
}

/** A submission for WA whose client listens at `callbackUrl`. */
async function submitted(callbackUrl: string): Promise<Submitted> {
  const { status, body } = await call<Submitted>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body: { ...inState('WA'), callbackUrl },
  });
  expect(status).toBe(201);
  return body;
}
async function move({ pharmacyOrderId }: Submitted, status: string, trackingNumber?: string): Promise<void> {
  const answer = await sandbox<{ status: number }>(
    dev,
    `/pharmacies/pharmacy_a/orders/${pharmacyOrderId}/status`,
    { method: 'POST', body: { status, ...(trackingNumber === undefined ? {} : { trackingNumber }) } },
  );
  expect(answer.status).toBe(200);
}
const path = ({ submissionId }: Submitted) => `/rx/prescriptions/${submissionId}/callbacks`;
async function callbacks(submission: Submitted): Promise<Callback[]> {
  const answer = await call<{ callbacks: Callback[] }>(dev, 'router', {
    key: 'clinic',
    path: path(submission),
  });
  expect(answer.status).toBe(200);
  return answer.body.callbacks;
}
const redeliver = (submission: Submitted, id: string, key = 'clinic') =>
  call(dev, 'router', { key, method: 'POST', path: `${path(submission)}/${id}/redeliver` });
/** The callbacks once the first of them satisfies `wanted`. */
const once = (submission: Submitted, wanted: (first: Callback) => boolean) =>
  eventually(async () => {
    const all = await callbacks(submission);
    return all[0] && wanted(all[0]) && all;
  });
const statusOf = ({ body }: Received) => (JSON.parse(body) as { status: string }).status;

function expectSigned({ headers, body }: Received): void {
  const timestamp = String(headers['x-timestamp']);
  expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(60_000);
  expect(headers['x-signature']).toBe(sign(dev.apiKeys['clinic']!.secret, timestamp, body));
}

describe('a callback', () => {
  test('is stopped, and signed no more, once the key of its client has ended', async () => {
    const withOwn = await withKey(dev, 'ended', '--scopes', 'router');
    const { url, received } = await receiver(() => 503);
    const { body } = await call<Submitted>(withOwn, 'router', {
      key: 'ended',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: { ...inState('WA'), callbackUrl: url },
    });
    await eventually(async () => received.length > 0);
    const statesOf = async () =>
      (
        await sql<{ state: string }[]>`
          select state from router.callback where submission_id = ${body.submissionId} order by sequence
        `
      ).map(({ state }) => state);
    expect(await statesOf()).toEqual(['pending']);

    expect(await rx('keys', 'revoke', withOwn.apiKeys['ended']!.key)).toMatchObject({ exitCode: 0 });
    await eventually(async () => (await statesOf())[0] === 'stopped');
    const before = received.length;
    await move(body, 'processing');
    await eventually(async () => (await statesOf()).length === 2);
    expect([await statesOf(), received.length]).toEqual([['stopped', 'stopped'], before]);
  });

  test('tells the outcome, signed, and then every change of the order in turn', async () => {
    const { url, received } = await receiver(() => 200);
    const submission = await submitted(url);
    await move(submission, 'processing');
    await move(submission, 'shipped', 'T-1');
    await move(submission, 'delivered');
    await eventually(async () => received.length === 4);
    const { submissionId, pharmacyOrderId } = submission;
    const common = {
      submissionId,
      sourceOrderId: expect.any(String),
      pharmacy: 'pharmacy_a',
      pharmacyOrderId,
    };
    expect(received.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
      { ...common, status: 'submitted', error: null },
      { ...common, status: 'processing', trackingNumber: null, carrier: null },
      { ...common, status: 'shipped', trackingNumber: 'T-1', carrier: null },
      { ...common, status: 'delivered', trackingNumber: 'T-1', carrier: null },
    ]);
    for (const each of received) expectSigned(each);
    expect(new Set(received.map(({ headers }) => headers['x-callback-id'])).size).toBe(4);
    expect(received.map(({ headers }) => headers['x-callback-kind'])).toEqual([
      'initial',
      'update',
      'update',
      'update',
    ]);
    expect(received[0]?.headers['content-type']).toBe('application/json');
  });

  test('of the outcome is spared a client that waits for the answer; every change reaches it (D103)', async () => {
    expect(dev.apiKeys['orchestrator']).toMatchObject({ receivesHolds: true, initialCallback: false });
    const { url, received } = await receiver(() => 200);
    const { body } = await call<Submitted>(dev, 'router', {
      key: 'clinic_quiet',
      method: 'POST',
      path: '/rx/prescriptions/submit',
      body: { ...inState('WA'), callbackUrl: url },
    });
    await move(body, 'processing');
    await eventually(async () => received.length > 0);
    const all = await sql<{ kind: string }[]>`
      select kind from router.callback where submission_id = ${body.submissionId}
    `;
    expect([all.map(({ kind }) => kind), received.map(statusOf)]).toEqual([['update'], ['processing']]);
  });

  test('is not missed among forty changes at short intervals, without the help of a sweep', async () => {
    const { url, received } = await receiver(() => 200);
    const submission = await submitted(url);
    let longestWaitMs = 0;
    for (let n = 1; n <= 40; n += 1) {
      await move(submission, 'shipped', `T-${n}`);
      // Every other one falls to a run that is just ending, or has ended.
      if (n % 2 === 1) continue;
      const movedAt = performance.now();
      await eventually(async () => received.length > n);
      longestWaitMs = Math.max(longestWaitMs, performance.now() - movedAt);
    }
    expect(received).toHaveLength(41);
    // A sweep finds a row 30 s late.
    expect(longestWaitMs).toBeLessThan(25_000);
    const tracking = received.map(
      ({ body }) => (JSON.parse(body) as { trackingNumber?: string }).trackingNumber,
    );
    expect(tracking.slice(1)).toEqual(Array.from({ length: 40 }, (_each, index) => `T-${index + 1}`));
  });

  test.each<[string, Answer, number | null, string]>([
    ['a 500', 500, 500, 'The receiver answered 500'],
    ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 307, 'The receiver answered 307'],
    ['silence', 'hang', null, 'The receiver did not answer within 10 s'],
  ])(
    'that meets %s is sent again with the same id and another signature',
    async (_name, answer, status, error) => {
      const { url, received } = await receiver(({ count }) => (count === 1 ? answer : 204));
      const submission = await submitted(url);
      await eventually(async () => received.length === 2);
      const [first, second] = received;
      expect(second?.headers['x-callback-id']).toBe(first?.headers['x-callback-id']);
      expect(second?.headers['x-signature']).not.toBe(first?.headers['x-signature']);
      expectSigned(second!);
      const [callback] = await once(submission, ({ state }) => state === 'delivered');
      expect(callback).toMatchObject({
        id: first?.headers['x-callback-id'],
        kind: 'initial',
        nextAttemptAt: null,
        attempts: [
          { status, error, durationMs: expect.any(Number) },
          { status: 204, error: null },
        ],
      });
    },
  );

  test('to nobody waits with the reason and the time of the next attempt', async () => {
    const submission = await submitted('http://127.0.0.1:9/callback');
    const [callback] = await once(submission, ({ attempts }) => attempts.length > 0);
    expect(callback).toMatchObject({ state: 'pending', nextAttemptAt: expect.any(String) });
    expect(callback?.attempts[0]).toMatchObject({
      status: null,
      error: 'The receiver could not be reached (ECONNREFUSED)',
    });
  });

  test('answered 410 is the last of its submission, those to come included', async () => {
    const { url, received } = await receiver(() => 410);
    const submission = await submitted(url);
    await once(submission, ({ state }) => state === 'stopped');
    await move(submission, 'shipped');
    expect(await callbacks(submission)).toMatchObject([
      { state: 'stopped', attempts: [{ status: 410 }], nextAttemptAt: null },
      { state: 'stopped', attempts: [], nextAttemptAt: null },
    ]);
    expect(received).toHaveLength(1);
  });

  test('that a hanging receiver holds up is no matter to another submission, and it gets fifty at a time', async () => {
    const hanging = await receiver(() => 'hang');
    const well = await receiver(() => 200);
    await atOnce(60, () => submitted(hanging.url));
    await eventually(async () => hanging.received.length >= 50);
    const submission = await submitted(well.url);
    const [callback] = await once(submission, ({ state }) => state === 'delivered');
    expect(callback?.attempts).toHaveLength(1);
    // The others have their turn when the first are given up.
    await eventually(async () => hanging.received.length >= 60);
    expect(hanging.mostAtOnce()).toBe(50);
  });

  test('to a receiver that is down for ten attempts: every update in order, one id per callback, all signed', async () => {
    let isUp = false;
    const { url, received } = await receiver(() => (isUp ? 200 : 503));
    const submission = await submitted(url);
    await move(submission, 'shipped', 'T-1');
    await move(submission, 'delivered');
    for (let attempts = 1; attempts <= 10; attempts += 1) {
      const [first] = await once(submission, (callback) => callback.attempts.length >= attempts);
      // Its own pauses would add up to minutes: an operator who sends it again does not wait for them.
      if (attempts < 10) await redeliver(submission, first!.id);
    }
    isUp = true;
    const all = await callbacks(submission);
    await redeliver(submission, all[0]!.id);
    await eventually(async () => (await callbacks(submission)).every(({ state }) => state === 'delivered'));
    const refused = received.filter(({ answer }) => answer === 503);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(new Set(refused.map(({ headers }) => headers['x-callback-id']))).toEqual(new Set([all[0]!.id]));
    // The callback's own retry may come before the operator's, which sends it again in any case.
    const idOf = ({ headers }: (typeof received)[number]) => headers['x-callback-id'];
    const accepted = received.filter(({ answer }) => answer === 200);
    const arrived = accepted.filter(
      (each, i) => accepted.findIndex((other) => idOf(other) === idOf(each)) === i,
    );
    expect(arrived.map(statusOf)).toEqual(['submitted', 'shipped', 'delivered']);
    expect(arrived.map(idOf)).toEqual(all.map(({ id }) => id));
    for (const each of received) expectSigned(each);
  });
});

describe('GET /rx/prescriptions/:id/callbacks', () => {
  test('200 with {id, kind, state, payload, attempts, nextAttemptAt} of each, in order', async () => {
    const { url, received } = await receiver(({ count }) => (count === 1 ? 204 : 503));
    const submission = await submitted(url);
    await move(submission, 'shipped', 'T-1');
    const [, update] = await eventually(async () => {
      const all = await callbacks(submission);
      return all[1]?.attempts.length === 1 && all;
    });
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { submissionId, pharmacyOrderId } = submission;
    const about = {
      submissionId,
      sourceOrderId: expect.any(String),
      pharmacy: 'pharmacy_a',
      pharmacyOrderId,
    };
    expect((await callbacks(submission)).slice(0, 1)).toEqual([
      {
        id: received[0]?.headers['x-callback-id'],
        kind: 'initial',
        state: 'delivered',
        payload: { ...about, status: 'submitted', error: null },
        attempts: [{ at: timestamp, status: 204, error: null, durationMs: expect.any(Number) }],
        nextAttemptAt: null,
      },
    ]);
    expect(update).toEqual({
      id: received[1]?.headers['x-callback-id'],
      kind: 'update',
      state: 'pending',
      payload: { ...about, status: 'shipped', trackingNumber: 'T-1', carrier: null },
      attempts: [
        { at: timestamp, status: 503, error: 'The receiver answered 503', durationMs: expect.any(Number) },
      ],
      nextAttemptAt: timestamp,
    });
    expect(Object.keys(update!)).toEqual(['id', 'kind', 'state', 'payload', 'attempts', 'nextAttemptAt']);
  });

  test("403 for another client's, 404 for an unknown and a malformed id, 401 unsigned", async () => {
    const submission = await submitted('http://127.0.0.1:9/callback');
    const read = (id: string, key: string) =>
      call(dev, 'router', { key, path: `/rx/prescriptions/${id}/callbacks` });
    expect(await read(submission.submissionId, 'clinic_b')).toMatchObject({
      status: 403,
      body: { error: 'Forbidden' },
    });
    const unknown = { status: 404, body: { error: 'Submission not found' } };
    expect(await read(randomUUID(), 'clinic')).toMatchObject(unknown);
    expect(await read('no-uuid', 'clinic')).toMatchObject(unknown);
    expect((await fetch(dev.services.router + path(submission))).status).toBe(401);
    expect((await read(submission.submissionId, 'notifier')).status).toBe(403);
  });
});

describe('POST /rx/prescriptions/:id/callbacks/:callbackId/redeliver', () => {
  test('202 sends a delivered callback once more, under its id', async () => {
    const { url, received } = await receiver(() => 200);
    const submission = await submitted(url);
    const [callback] = await once(submission, ({ state }) => state === 'delivered');
    const answer = await redeliver(submission, callback!.id);
    expect([answer.status, answer.body]).toEqual([202, { ok: true }]);
    await once(submission, ({ state, attempts }) => state === 'delivered' && attempts.length === 2);
    expect(received.map(({ headers }) => headers['x-callback-id'])).toEqual([callback!.id, callback!.id]);
  });

  test('202 wakes a callback that would wait for an hour', async () => {
    let isUp = false;
    const { url } = await receiver(() => (isUp ? 200 : 500));
    const submission = await submitted(url);
    const [callback] = await once(submission, ({ attempts }) => attempts.length > 0);
    await sql`
      update router.callback set next_attempt_at = now() + interval '1 hour' where id = ${callback!.id}
    `;
    isUp = true;
    expect((await redeliver(submission, callback!.id)).status).toBe(202);
    await once(submission, ({ state }) => state === 'delivered');
  });

  test('202 revives a dead callback, and it goes out before those behind it', async () => {
    const { url, received } = await receiver(() => 200);
    const submission = await submitted(url);
    const [callback] = await once(submission, ({ state }) => state === 'delivered');
    await sql`update router.callback set state = 'dead' where id = ${callback!.id}`;
    expect((await redeliver(submission, callback!.id)).status).toBe(202);
    await once(submission, ({ state }) => state === 'delivered');
    await eventually(async () => received.length === 2);
  });

  test('409 for a callback that its receiver has stopped', async () => {
    const { url } = await receiver(() => 410);
    const submission = await submitted(url);
    const [callback] = await once(submission, ({ state }) => state === 'stopped');
    expect(await redeliver(submission, callback!.id)).toMatchObject({
      status: 409,
      body: { error: 'The receiver has stopped the callbacks of this submission' },
    });
  });

  test("403 for another client's, 404 for unknown ids, 401 unsigned", async () => {
    const submission = await submitted('http://127.0.0.1:9/callback');
    const [callback] = await callbacks(submission);
    expect((await redeliver(submission, callback!.id, 'clinic_b')).status).toBe(403);
    const unknown = { status: 404, body: { error: 'Callback not found' } };
    expect(await redeliver(submission, randomUUID())).toMatchObject(unknown);
    expect(await redeliver(submission, 'no-uuid')).toMatchObject(unknown);
    expect((await redeliver({ ...submission, submissionId: randomUUID() }, callback!.id)).status).toBe(404);
    const unsigned = await fetch(`${dev.services.router}${path(submission)}/${callback!.id}/redeliver`, {
      method: 'POST',
    });
    expect(unsigned.status).toBe(401);
  });
});

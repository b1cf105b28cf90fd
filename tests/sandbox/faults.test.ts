import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { orderA, useSandbox, type Answer } from './helpers.js';

const sandbox = useSandbox();
afterEach(async () => {
  await sandbox.clearFaults();
});

const order = (key: string = randomUUID(), init: RequestInit = {}): Promise<Answer> =>
  sandbox.call('/pharmacy-a/orders', {
    ...init,
    json: orderA(),
    headers: {
      'x-api-key': sandbox.config().SANDBOX_PHARMACY_A_API_KEY,
      'idempotency-key': key,
      ...(init.headers as Record<string, string>),
    },
  });
const placed = async (key: string): Promise<boolean> => {
  const { body } = await sandbox.call('/_sandbox/orders');
  return (body as { orders: { idempotencyKey: string }[] }).orders.some(
    ({ idempotencyKey }) => idempotencyKey === key,
  );
};
const newest = async () => (await sandbox.requests('pharmacy_a'))[0];

test('status answers in the place of the party, with a retry-after where one is given', async () => {
  await sandbox.setFault({
    target: 'pharmacy_a',
    kind: 'status',
    status: 429,
    retryAfterSeconds: 7,
    times: 1,
  });
  const key = randomUUID();
  const answer = await order(key);
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(await placed(key)).toBe(false);
  expect(await newest()).toEqual({
    target: 'pharmacy_a',
    operation: 'order',
    method: 'POST',
    path: '/pharmacy-a/orders',
    headers: expect.objectContaining({ 'idempotency-key': key }),
    body: orderA(),
    status: 429,
    responseBody: answer.body,
    fault: 'status',
    at: expect.any(String),
  });
  expect((await order(key)).status).toBe(201);
});

test('delay does the work after a while, also for a caller that has given up', async () => {
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'delay', delayMs: 200, times: 2 });
  const startedAt = performance.now();
  expect((await order()).status).toBe(201);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);

  const key = randomUUID();
  await expect(order(key, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
  expect(await placed(key)).toBe(false);
  while (!(await placed(key))) await new Promise((resolve) => setImmediate(resolve));
  expect(await newest()).toMatchObject({ fault: 'delay', status: 201 });
});

test('drop closes the connection before anything happened', async () => {
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'drop', times: 1 });
  const key = randomUUID();
  await expect(order(key)).rejects.toThrow();
  expect(await placed(key)).toBe(false);
  expect(await newest()).toMatchObject({ fault: 'drop', status: null, responseBody: null });
});

test('lost-answer does the work and closes the connection', async () => {
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'lost-answer', times: 1 });
  const key = randomUUID();
  await expect(order(key)).rejects.toThrow();
  expect(await placed(key)).toBe(true);
  const recorded = await newest();
  expect(recorded).toMatchObject({ fault: 'lost-answer', status: 201 });
  expect((await order(key)).body).toEqual(recorded?.['responseBody']);
});

test('hang never answers and does nothing', async () => {
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'hang', times: 1 });
  const key = randomUUID();
  await expect(order(key, { signal: AbortSignal.timeout(200) })).rejects.toThrow();
  expect(await placed(key)).toBe(false);
  expect(await newest()).toMatchObject({ fault: 'hang', status: null });
});

test('hold does the work once the faults are cleared, and says how many calls it keeps', async () => {
  const key = randomUUID();
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'hold' });
  const held = order(key);
  const given = order(randomUUID(), { signal: AbortSignal.timeout(100) });
  await expect(given).rejects.toThrow();
  const holding = async () => {
    const { body } = await sandbox.call('/_sandbox/faults');
    return (body as { faults: { holding: number }[] }).faults.map((fault) => fault.holding);
  };
  while ((await holding())[0] !== 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await placed(key)).toBe(false);
  await sandbox.clearFaults();
  expect((await held).status).toBe(201);
});

test('a fault about a text is for calls that have it in their path or body', async () => {
  const { externalId } = orderA() as { externalId: string };
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 503, about: `"${externalId}"` });
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 500, about: 'somebody else' });
  expect((await order()).status).toBe(503);
});

test('a fault without times lasts until it is cleared and spares a caller with the bypass header', async () => {
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 503 });
  expect([(await order()).status, (await order()).status]).toEqual([503, 503]);
  expect((await order(randomUUID(), { headers: { 'x-sandbox-bypass': '1' } })).status).toBe(201);
  await sandbox.clearFaults();
  expect((await order()).status).toBe(201);
});

test('a later lasting fault takes the place of an earlier one, counted ones go first', async () => {
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 500 });
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 502 });
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 429, times: 1 });
  await sandbox.setFault({ target: 'pharmacy_a', kind: 'status', status: 408, times: 1 });
  const statuses = [];
  for (let n = 0; n < 4; n++) statuses.push((await order()).status);
  expect(statuses).toEqual([429, 408, 502, 502]);
});

test('a fault of one operation or target leaves the others alone', async () => {
  await sandbox.setFault({ target: 'pharmacy_b', kind: 'status', status: 500 });
  await sandbox.setFault({ target: 'pharmacy_a', operation: 'token', kind: 'status', status: 500 });
  expect((await order()).status).toBe(201);
  await sandbox.setFault({ target: 'pharmacy_a', operation: 'order', kind: 'status', status: 500 });
  expect((await order()).status).toBe(500);
});

test('a fault is worded as the party words its errors', async () => {
  const answerOf = async (target: string, path: string) => {
    await sandbox.setFault({ target, kind: 'status', status: 503, times: 1 });
    return (await sandbox.call(path)).body;
  };
  expect(await answerOf('stripe', '/stripe/v1/coupons')).toMatchObject({ error: { type: 'api_error' } });
  expect(await answerOf('emr', '/fhir/R4/Patient/x')).toMatchObject({ resourceType: 'OperationOutcome' });
  expect(await answerOf('twilio', '/twilio/x')).toMatchObject({ code: 20500, status: 503 });
});

test('a fault that makes no sense is refused', async () => {
  for (const fault of [
    { target: 'pharmacy_a', kind: 'status' },
    { target: 'pharmacy_a', kind: 'delay' },
    { target: 'pharmacy_z', kind: 'drop' },
    { target: 'pharmacy_a', kind: 'drop', time: 1 },
    { kind: 'drop' },
  ]) {
    expect(await sandbox.setFault(fault)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  }
});

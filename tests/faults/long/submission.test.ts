import { describe, expect, test } from '@jest/globals';
import type { PrescriptionSubmission } from '../../../domain/router/submission.js';
import { uuidV5 } from '../../../platform/crypto/ids.js';
import { call, eventually, sandbox } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';
import { callsTo, ordersUnder } from '../../api/orchestrator/approvals.js';
import { clearFaults, type Fault, faultsMet, setFault } from '../faults.js';
import { dev, temporal } from '../faulty-system.js';

interface Answer {
  submissionId: string;
  status: string;
  pharmacyOrderId: string | null;
  error: string;
}

const submit = (body: PrescriptionSubmission, key = 'clinic') =>
  call<Answer>(dev, 'router', { key, method: 'POST', path: '/rx/prescriptions/submit', body });
const fault = (kind: Fault['kind'], more: Partial<Fault> = {}) =>
  setFault(dev, { target: 'pharmacy_a', operation: 'order', kind, ...more });

const ordersOf = (submissionId: string) => ordersUnder(dev, submissionId);
/** The calls that reached a pharmacy, oldest first. */
const pharmacyCalls = async (target: string, key = '') =>
  (await callsTo(dev, target))
    .filter(({ headers }) => (headers['idempotency-key'] ?? '').startsWith(key))
    .reverse();
const idOf = ({ source, sourceOrderId }: PrescriptionSubmission, key: string) =>
  uuidV5('submission', dev.apiKeys[key]!.key, source, sourceOrderId);
/** Waits until a pharmacy that hangs has the order. @returns the submission's id */
async function atPharmacy(submission: PrescriptionSubmission, key = 'clinic'): Promise<string> {
  const submissionId = idOf(submission, key);
  await eventually(async () => (await pharmacyCalls('pharmacy_a', submissionId)).length > 0);
  return submissionId;
}
/** Another payload under the same reference. */
const other = (submission: PrescriptionSubmission): PrescriptionSubmission => ({
  ...submission,
  test: false,
});

const unknownOutcome = { status: 409, body: { error: 'Outcome of the first submission is unknown' } };

test('one lost answer: 201, and the pharmacy holds one order', async () => {
  await fault('lost-answer', { times: 1 });
  const { status, body } = await submit(inState('WA'));
  expect(status).toBe(201);
  expect(await ordersOf(body.submissionId)).toMatchObject([{ orderId: body.pharmacyOrderId }]);
  expect(await pharmacyCalls('pharmacy_a', body.submissionId)).toHaveLength(2);
});

test.each([
  ['503 twice', { status: 503, times: 2 }, 3],
  ['429 with a Retry-After', { status: 429, retryAfterSeconds: 1, times: 1 }, 2],
])('%s: 201 from a further call with the same key', async (_name, more, calls) => {
  await fault('status', more);
  const { status, body } = await submit(inState('WA'));
  expect(status).toBe(201);
  const made = await pharmacyCalls('pharmacy_a', body.submissionId);
  expect(made).toHaveLength(calls);
  expect(new Set(made.map(({ headers }) => headers['idempotency-key']))).toEqual(
    new Set([`${body.submissionId}-1`]),
  );
});

test('every answer lost: 502; another payload is 409 for good, the same one finds the order that was made', async () => {
  const submission = inState('WA');
  await fault('lost-answer');
  const lost = await submit(submission);
  expect(lost).toMatchObject({ status: 502, body: { status: 'failed', pharmacyOrderId: null } });
  expect(await pharmacyCalls('pharmacy_a', lost.body.submissionId)).toHaveLength(3);
  expect(await submit(other(submission))).toMatchObject(unknownOutcome);

  await clearFaults(dev);
  expect(await submit(other(submission))).toMatchObject(unknownOutcome);
  const found = await submit(submission);
  expect(found.status).toBe(201);
  expect(await ordersOf(lost.body.submissionId)).toMatchObject([
    { orderId: found.body.pharmacyOrderId, idempotencyKey: `${lost.body.submissionId}-1` },
  ]);
});

test('a pharmacy that hangs: 502 after three calls, and a repeat at the same time gets the same answer', async () => {
  const submission = inState('WA');
  await fault('hang');
  const [first, second] = await Promise.all([submit(submission), submit(submission)]);
  expect(first).toMatchObject({
    status: 502,
    body: { error: 'pharmacy_a did not answer within 5.5 s' },
  });
  expect([second.status, second.body]).toEqual([502, first.body]);
  const replayed = [first, second].map(({ headers }) => headers.get('idempotent-replayed'));
  expect(replayed.sort()).toEqual([null, 'true'].sort());
  expect(await pharmacyCalls('pharmacy_a', first.body.submissionId)).toHaveLength(3);
});

test('a rejection is 502 at once, and any payload is tried again with the next key', async () => {
  const submission = inState('WA');
  await fault('status', { status: 400, times: 1 });
  const rejected = await submit(submission);
  expect(rejected.status).toBe(502);
  expect(await pharmacyCalls('pharmacy_a', rejected.body.submissionId)).toHaveLength(1);
  expect((await submit(other(submission))).status).toBe(201);
  expect(await ordersOf(rejected.body.submissionId)).toMatchObject([
    { idempotencyKey: `${rejected.body.submissionId}-2` },
  ]);
});

test('a refused key after a lost answer proves nothing: 502, and only the same payload is tried again', async () => {
  const submission = inState('WA');
  await fault('lost-answer', { times: 1 });
  await fault('status', { status: 401, times: 1 });
  const refused = await submit(submission);
  expect(refused.status).toBe(502);
  expect(await submit(other(submission))).toMatchObject(unknownOutcome);
  expect((await submit(submission)).status).toBe(201);
  expect(await ordersOf(refused.body.submissionId)).toHaveLength(1);
});

test('a refused token after a lost answer proves nothing either', async () => {
  const submission = inState('TX');
  await submit(inState('TX')); // now there is a token
  await fault('lost-answer', { target: 'pharmacy_b', times: 1 });
  await fault('status', { target: 'pharmacy_b', status: 401, times: 1 });
  await fault('status', { target: 'pharmacy_b', operation: 'token', status: 400, times: 1 });
  const refused = await submit(submission);
  expect(refused.status).toBe(502);
  expect(await submit(other(submission))).toMatchObject(unknownOutcome);
  expect((await submit(submission)).status).toBe(201);
  expect(await ordersOf(refused.body.submissionId)).toHaveLength(1);
});

test("pharmacy_b's token is used again, and renewed when the pharmacy has forgotten it", async () => {
  await submit(inState('TX'));
  await sandbox(dev, '/requests', { method: 'DELETE' });
  await submit(inState('TX'));
  expect((await pharmacyCalls('pharmacy_b')).map(({ operation }) => operation)).toEqual(['order']);

  const before = dev.pids['sandbox'];
  process.kill(before, 'SIGKILL');
  await eventually(() =>
    sandbox(dev, '/faults').then(
      () => dev.pids['sandbox'] !== before,
      () => false,
    ),
  );
  await sandbox(dev, '/requests', { method: 'DELETE' });
  expect((await submit(inState('TX'))).status).toBe(201);
  expect((await pharmacyCalls('pharmacy_b')).map(({ operation, status }) => [operation, status])).toEqual([
    ['order', 401],
    ['token', 200],
    ['order', 201],
  ]);
});

test('a token that cannot be had: 502', async () => {
  await sandbox(dev, '/requests', { method: 'DELETE' });
  for (const operation of ['token', 'order'])
    await fault('status', { target: 'pharmacy_b', operation, status: 401 });
  expect((await submit(inState('TX'))).status).toBe(502);
  expect((await pharmacyCalls('pharmacy_b')).map(({ operation }) => operation)).toEqual(['order', 'token']);
});

test('a worker killed while the pharmacy holds the order: 201, and one order', async () => {
  const submission = inState('WA');
  await fault('hang', { times: 1 });
  const answer = submit(submission);
  const submissionId = await atPharmacy(submission);
  process.kill(dev.pids['workers'], 'SIGKILL');
  expect(await answer).toMatchObject({ status: 201, body: { submissionId } });
  expect(await ordersOf(submissionId)).toHaveLength(1);
});

test('Postgres killed while the pharmacy is asked: 201, and the result is recorded', async () => {
  const submission = inState('WA');
  await fault('hang', { times: 1 });
  const answer = submit(submission);
  const submissionId = await atPharmacy(submission);
  process.kill(dev.pids['postgres']!, 'SIGKILL');
  expect((await answer).status).toBe(201);
  expect(
    (await call(dev, 'router', { key: 'clinic', path: `/rx/prescriptions/${submissionId}` })).body,
  ).toMatchObject({ status: 'submitted' });
});

test('a run terminated before it did anything is 503 with Retry-After, and the same request then 201', async () => {
  const submission = inState('WA');
  const workers = dev.pids['workers'];
  const { source, sourceOrderId } = submission;
  const submissionId = uuidV5('submission', dev.apiKeys['clinic']!.key, source, sourceOrderId);
  // Frozen, the workers claim nothing.
  process.kill(workers, 'SIGSTOP');
  try {
    const answer = submit(submission);
    const run = temporal.client.workflow.getHandle(`submission:${submissionId}`);
    await eventually(() =>
      run.terminate().then(
        () => true,
        () => false,
      ),
    );
    const { status, headers, body } = await answer;
    expect([status, body]).toEqual([503, { error: 'Terminated by an operator', submissionId }]);
    expect(headers.get('retry-after')).toBe('10');
  } finally {
    process.kill(workers, 'SIGCONT');
  }
  // The task that was on its way to the frozen worker may still claim for the ended run, until a sweep sees to it.
  const placed = await eventually(async () => {
    const answer = await submit(submission);
    return answer.status !== 409 && answer;
  });
  expect(placed).toMatchObject({ status: 201, body: { submissionId } });
  expect(await ordersOf(submissionId)).toMatchObject([{ idempotencyKey: `${submissionId}-1` }]);
});

test('a terminated run is 502 and an unknown outcome: another payload 409, the same one 201 with the same key', async () => {
  const submission = inState('WA');
  await fault('hang', { times: 1 });
  const answer = submit(submission);
  const submissionId = await atPharmacy(submission);
  await temporal.client.workflow.getHandle(`submission:${submissionId}`).terminate();
  expect(await answer).toEqual({
    status: 502,
    headers: expect.anything(),
    body: {
      submissionId,
      pharmacy: 'pharmacy_a',
      status: 'failed',
      pharmacyOrderId: null,
      error: 'Terminated by an operator',
    },
  });
  expect(await submit(other(submission))).toMatchObject(unknownOutcome);
  expect(await submit(submission)).toMatchObject({ status: 201, body: { submissionId } });
  expect(await ordersOf(submissionId)).toMatchObject([{ idempotencyKey: `${submissionId}-1` }]);
});

describe('of a durable caller (D113)', () => {
  const durable = 'orchestrator';
  const statusOfRun = (submissionId: string) => temporal.statusOf(`submission:${submissionId}`);
  const keysOf = async (submissionId: string) =>
    (await pharmacyCalls('pharmacy_a', submissionId)).map(({ headers }) => headers['idempotency-key']);

  test.each<[string, Partial<Fault> & Pick<Fault, 'kind'>]>([
    ['an answer is lost', { kind: 'lost-answer', times: 1 }],
    ['the pharmacy answers 503', { kind: 'status', status: 503, times: 1 }],
    ['the pharmacy wants it later', { kind: 'status', status: 429, retryAfterSeconds: 1, times: 1 }],
  ])(
    '%s: a run takes over and ends it, under the same key, with one order',
    async (_name, { kind, ...more }) => {
      await fault(kind, more);
      const { status, body } = await submit(inState('WA'), durable);
      expect([status, await statusOfRun(body.submissionId)]).toEqual([201, 'COMPLETED']);
      expect(await keysOf(body.submissionId)).toEqual(Array(2).fill(`${body.submissionId}-1`));
      expect(await ordersOf(body.submissionId)).toMatchObject([{ orderId: body.pharmacyOrderId }]);
    },
  );

  test('every answer lost: 502 after three calls, those of the run included', async () => {
    await fault('lost-answer');
    const { status, headers, body } = await submit(inState('WA'), durable);
    expect([status, headers.get('x-order-outcome')]).toEqual([502, 'unknown']);
    expect(await keysOf(body.submissionId)).toHaveLength(3);
    expect(await statusOfRun(body.submissionId)).toBe('FAILED');
  });

  test('a rejection is answered as that of a run, without one', async () => {
    await fault('status', { status: 400, times: 2 });
    const byRun = await submit(inState('WA'));
    const here = await submit(inState('WA'), durable);
    const told = ({ status, headers, body: { submissionId: _id, ...body } }: typeof here) =>
      [status, headers.get('x-order-outcome'), body] as const;
    expect(told(here)).toEqual(told(byRun));
    expect(told(here)).toMatchObject([502, 'rejected', { status: 'failed' }]);
    expect(await keysOf(here.body.submissionId)).toHaveLength(1);
    expect(await statusOfRun(here.body.submissionId)).toBeUndefined();
  });

  test('the API killed between the order and its record: a repeat takes the claim over, and there is one order', async () => {
    const submission = inState('WA');
    await fault('delay', { delayMs: 1_000, times: 1 });
    const lost = submit(submission, durable).catch(() => 'cut off');
    await faultsMet(dev);
    const submissionId = idOf(submission, durable);
    // Frozen, the API cannot hear the answer that the order below is followed by.
    const killed = dev.pids['api'];
    process.kill(killed, 'SIGSTOP');
    await eventually(async () => (await ordersOf(submissionId)).length > 0);
    process.kill(killed, 'SIGKILL');
    expect(await lost).toBe('cut off');
    const repeat = await eventually(() => submit(submission, durable).catch(() => undefined));
    expect(repeat).toMatchObject({ status: 201, body: { submissionId } });
    expect(await ordersOf(submissionId)).toMatchObject([
      { orderId: repeat.body.pharmacyOrderId, idempotencyKey: `${submissionId}-1` },
    ]);
  });

  test('the API killed while the pharmacy is asked, and nobody asks again: a sweep starts the run', async () => {
    const submission = inState('WA');
    await fault('hang', { times: 1 });
    const lost = submit(submission, durable).catch(() => 'cut off');
    const submissionId = await atPharmacy(submission, durable);
    process.kill(dev.pids['api'], 'SIGKILL');
    expect(await lost).toBe('cut off');
    expect(await eventually(async () => (await statusOfRun(submissionId)) === 'COMPLETED')).toBe(true);
    expect(await ordersOf(submissionId)).toMatchObject([{ idempotencyKey: `${submissionId}-1` }]);
  });
});

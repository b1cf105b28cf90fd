import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { uuidV5 } from '../../../platform/crypto/ids.js';
import { call, eventually, sandbox } from '../../helpers/client.js';
import { type Receiver, startReceiver } from '../../helpers/receiver.js';
import { inState } from '../../helpers/prescription.js';
import { setFault } from '../faults.js';
import { dev, sql, temporal } from '../faulty-system.js';

interface Callback {
  id: string;
  kind: string;
  state: string;
  payload: Record<string, unknown>;
}

const receivers: Receiver[] = [];
afterAll(() => Promise.all(receivers.map((receiver) => receiver.stop())));

const submit = (body: object) =>
  call<{ submissionId: string; pharmacyOrderId: string }>(dev, 'router', {
    key: 'clinic',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
const move = (orderId: string, status: string) =>
  sandbox(dev, `/pharmacies/pharmacy_a/orders/${orderId}/status`, { method: 'POST', body: { status } });
async function callbacks(submissionId: string): Promise<Callback[]> {
  const path = `/rx/prescriptions/${submissionId}/callbacks`;
  return (await call<{ callbacks: Callback[] }>(dev, 'router', { key: 'clinic', path })).body.callbacks;
}
async function receiver(answerTo: Parameters<typeof startReceiver>[0]): Promise<Receiver> {
  const started = await startReceiver(answerTo);
  receivers.push(started);
  return started;
}
/** The workers there are now, which are not those that were killed before. */
async function killWorkers(): Promise<void> {
  const pid = await eventually(async () => dev.pids['workers'] !== killed && dev.pids['workers']);
  process.kill(pid, 'SIGKILL');
  killed = pid;
}
let killed: number | undefined;
const terminate = (workflowId: string) => temporal.client.workflow.getHandle(workflowId).terminate();

test('workers killed while callbacks are delivered: each arrives, in order, under one id', async () => {
  const { url, received } = await receiver(({ count }) => (count % 3 === 0 ? 503 : 200));
  const orders = await Promise.all(
    Array.from({ length: 6 }, async () => (await submit({ ...inState('WA'), callbackUrl: url })).body),
  );
  for (const status of ['processing', 'shipped', 'delivered']) {
    await Promise.all(orders.map(({ pharmacyOrderId }) => move(pharmacyOrderId, status)));
    await killWorkers();
  }
  for (const { submissionId } of orders) {
    const all = await eventually(async () => {
      const found = await callbacks(submissionId);
      return found.length === 4 && found.every(({ state }) => state === 'delivered') && found;
    });
    const arrived = received.filter(
      ({ body, answer }) =>
        answer === 200 && (JSON.parse(body) as { submissionId: string }).submissionId === submissionId,
    );
    // At least once each: a repeat comes directly after its original.
    const ids = arrived.map(({ headers }) => headers['x-callback-id']);
    expect(ids.filter((id, index) => id !== ids[index - 1])).toEqual(all.map(({ id }) => id));
    const statuses = all.map(({ payload }) => payload['status']);
    expect(statuses).toEqual(['submitted', 'processing', 'shipped', 'delivered']);
  }
});

test('Postgres killed: what is queued afterwards is delivered all the same', async () => {
  const { url, received } = await receiver(() => 200);
  process.kill(dev.pids['postgres']!, 'SIGKILL');
  await eventually(async () => {
    const { status } = await submit({ ...inState('WA'), callbackUrl: url });
    return status === 201;
  });
  await eventually(async () => received.length > 0);
});

test('what was ended from outside or left by a crash is put right by the sweeps', async () => {
  // A submission whose run is terminated while the pharmacy has it.
  await setFault(dev, { target: 'pharmacy_a', operation: 'order', kind: 'hang', times: 1 });
  const { url, received } = await receiver(() => 200);
  const submission = { ...inState('WA'), callbackUrl: url };
  const submissionId = uuidV5(
    'submission',
    dev.apiKeys['clinic']!.key,
    submission.source,
    submission.sourceOrderId,
  );
  const answer = submit(submission);
  await eventually(async () => {
    const [row] = await sql`select 1 from router.submission where id = ${submissionId} and calls > 0`;
    return row !== undefined;
  });
  await terminate(`submission:${submissionId}`);
  expect((await answer).status).toBe(502);

  // Callbacks whose run is terminated while they wait.
  let isUp = false;
  const later = await receiver(() => (isUp ? 200 : 500));
  const { body: waiting } = await submit({ ...inState('TX'), callbackUrl: later.url });
  await eventually(async () => later.received.length > 0);
  await terminate(`callbacks:${waiting.submissionId}`);
  isUp = true;

  // The body of a request that was killed before its run began, and one that may still be on its way.
  const [left, young] = [randomUUID(), randomUUID()];
  await sql`
    insert into router.received_payload (claim_id, submission_id, body, received_at)
    values (${left}, ${randomUUID()}, '{}', now() - interval '2 hours'),
      (${young}, ${randomUUID()}, '{}', now() - interval '50 minutes')
  `;

  const [initial] = await eventually(async () => {
    const found = await callbacks(submissionId);
    return found[0]?.state === 'delivered' && found;
  });
  expect(initial).toMatchObject({
    kind: 'initial',
    payload: { status: 'failed', pharmacyOrderId: null, error: 'Terminated by an operator' },
  });
  expect(received).toHaveLength(1);
  const { body: record } = await call(dev, 'router', {
    key: 'clinic',
    path: `/rx/prescriptions/${submissionId}`,
  });
  expect(record).toMatchObject({ status: 'failed', errorMessage: 'Terminated by an operator' });

  await eventually(async () => {
    const [first] = await callbacks(waiting.submissionId);
    return first?.state === 'delivered';
  });
  await eventually(async () => {
    const rows = await sql`select 1 from router.received_payload where claim_id = ${left}`;
    return rows.length === 0;
  });
  expect(await sql`select 1 from router.received_payload where claim_id = ${young}`).toHaveLength(1);
});

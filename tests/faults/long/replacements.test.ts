import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { chargesOf, shipmentsOf, submissionIdOf } from '../../api/orchestrator/approvals.js';
import { booked, cancel, refundsOf, statusesOf } from '../../api/orchestrator/exceptions.js';
import {
  replace,
  replacementIs,
  replacementsOf,
  shipAt,
  shipped,
} from '../../api/orchestrator/replacements.js';
import { adminToken, callAs, eventually, mailboxOf } from '../../helpers/client.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';
import { clearFaults, faultsMet, setFault } from '../faults.js';

let running: TestSystem;
let dev: DevJson;
let temporal: TemporalView;
beforeAll(async () => {
  running = await startTestSystem({
    split: true,
    env: { ORDER_SETTLE_SECONDS: '3,6,9', DRAIN_SECONDS: '4' },
  });
  dev = running.system.dev;
  temporal = await openTemporal(dev, running.stateDir);
});
afterEach(() => clearFaults(dev));
afterAll(async () => {
  await temporal.close();
  await running.stop();
});

const lost = (taskId: string) => ({ taskId, reason: 'lost', paidBy: 'patient' });
/** The books of pharmacies, shipping service, processor and the patient's mailbox about a replacement. */
async function booksOf(reference: string, email: string) {
  const mails = await mailboxOf<{ subject: string }>(dev, email);
  return {
    orders: (await booked(dev, reference)).length,
    labels: (await shipmentsOf(dev, reference)).length,
    charges: (await chargesOf(dev, reference)).length,
    told: mails.filter(({ subject }) => subject.includes('changed')).length,
  };
}
const once = { orders: 1, labels: 1, charges: 1, told: 1 };
const order = { target: 'pharmacy_a', operation: 'order' };

test.each([
  ['pharmacy_a', 'order'],
  ['stripe', 'paymentIntents.create'],
  ['shipping', undefined],
])(
  'workers killed while %s does %s: a lost parcel is replaced once; the next one is another (control)',
  async (target, operation) => {
    // In NY the label is ours.
    const { taskId, patient } = await shipped(dev, { state: 'NY' });
    const delay = { target, kind: 'delay' as const, delayMs: 1_000, times: 1 };
    await setFault(dev, operation === undefined ? delay : { ...delay, operation });
    const answer = replace(dev, lost(taskId));
    await faultsMet(dev);
    process.kill(dev.pids.workers, 'SIGKILL');
    expect((await answer).body.replacement).toMatchObject({ reference: `${taskId}~1`, state: 'ordered' });
    expect(await booksOf(`${taskId}~1`, patient.email)).toEqual(once);

    // The books show a second order where there is one.
    const [parcel] = await booked(dev, `${taskId}~1`);
    await shipAt(dev, parcel!, 'delivered');
    await replacementIs(dev, taskId, 'delivered');
    expect((await replace(dev, lost(taskId))).body.replacement.reference).toBe(`${taskId}~2`);
    expect(await booksOf(`${taskId}~2`, patient.email)).toEqual({ ...once, told: 2 });
  },
);

test('502 where the pharmacy rejects it: nothing is charged, and the next try takes the next number', async () => {
  const { taskId, patient } = await shipped(dev);
  await setFault(dev, { ...order, kind: 'status', status: 422, times: 1 });
  const { status, body } = await replace(dev, lost(taskId));
  expect([status, body]).toEqual([502, { error: expect.any(String) }]);
  expect(await booksOf(`${taskId}~1`, patient.email)).toEqual({ orders: 0, labels: 0, charges: 0, told: 0 });
  expect((await replace(dev, lost(taskId))).body.replacement).toMatchObject({ n: 2, state: 'ordered' });
  expect((await replacementsOf(dev, taskId)).map(({ state }) => state)).toEqual(['rejected', 'ordered']);
});

test('an order of which nobody knows is charged and told once it is found', async () => {
  const { taskId, patient } = await shipped(dev);
  const reference = `${taskId}~1`;
  await setFault(dev, { ...order, kind: 'lost-answer' });
  const { status, body } = await replace(dev, lost(taskId));
  expect([status, body.replacement]).toMatchObject([
    200,
    { state: 'unknown', submissionId: submissionIdOf(dev, reference) },
  ]);
  const repeat = await replace(dev, lost(taskId));
  expect([repeat.body, repeat.headers.get('idempotent-replayed')]).toEqual([body, 'true']);
  expect(await booksOf(reference, patient.email)).toMatchObject({ charges: 0, told: 0 });
  await replacementIs(dev, taskId, 'ordered');
  await eventually(async () => (await booksOf(reference, patient.email)).told === 1);
  expect(await booksOf(reference, patient.email)).toEqual({ ...once, labels: 0 });
});

test('an order that turns out not to exist is rejected and charged to nobody, and a person orders the next', async () => {
  const { taskId, patient } = await shipped(dev);
  await setFault(dev, { ...order, kind: 'drop' });
  expect((await replace(dev, lost(taskId))).body.replacement.state).toBe('unknown');
  await replacementIs(dev, taskId, 'rejected');
  await clearFaults(dev);
  expect(await booksOf(`${taskId}~1`, patient.email)).toEqual({ orders: 0, labels: 0, charges: 0, told: 0 });
  const token = await adminToken(dev, {}, running.stateDir);
  const item = await eventually(async () => {
    const path = `/v1/work-items?taskId=${taskId}&kind=order_missing&state=open`;
    const { body } = await callAs<{ workItems: { id: string }[] }>(dev, 'worklist', token, { path });
    return body.workItems[0];
  });
  const path = `/v1/work-items/${item.id}/answer`;
  const answer = { method: 'POST', path, body: { answer: 'order_again' } } as const;
  expect((await callAs(dev, 'worklist', token, answer)).status).toBe(200);
  expect(await replacementsOf(dev, taskId)).toMatchObject([
    { state: 'rejected' },
    { n: 2, state: 'ordered', paidBy: 'patient' },
  ]);
  expect(await booksOf(`${taskId}~2`, patient.email)).toMatchObject({ orders: 1, charges: 1 });
});

test('a cancellation while nobody knows cancels the order, which is never charged', async () => {
  const { taskId } = await shipped(dev);
  const reference = `${taskId}~1`;
  await setFault(dev, { ...order, kind: 'lost-answer' });
  expect((await replace(dev, lost(taskId))).body.replacement.state).toBe('unknown');
  const { body } = await cancel(dev, { taskId, reason: 'No longer needed' });
  expect(body.cancellation.replacementsCancelled).toBe(1);
  expect(await statusesOf(dev, reference)).toEqual(['cancelled']);
  await replacementIs(dev, taskId, 'cancelled');
  expect([await chargesOf(dev, reference), await refundsOf(dev, reference)]).toEqual([[], []]);
});

test('a run that was terminated is taken up again by the sweep, and orders once', async () => {
  const { taskId, patient } = await shipped(dev);
  await setFault(dev, { ...order, kind: 'delay', delayMs: 3_000, times: 1 });
  const answer = replace(dev, lost(taskId));
  await faultsMet(dev);
  await temporal.client.workflow.getHandle(`replacement:${taskId}~1`).terminate('by a test');
  expect((await answer).status).toBe(503);
  await eventually(async () => (await booksOf(`${taskId}~1`, patient.email)).told === 1);
  expect(await booksOf(`${taskId}~1`, patient.email)).toEqual({ ...once, labels: 0 });
});

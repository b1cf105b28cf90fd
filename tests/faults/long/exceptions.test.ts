import { expect, test } from '@jest/globals';
import { call, eventually, sandbox } from '../../helpers/client.js';
import { inState } from '../../helpers/prescription.js';
import { callsTo } from '../../api/orchestrator/approvals.js';
import { clearFaults, type Fault, faultsMet, setFault } from '../faults.js';
import { dev, sql, temporal } from '../faulty-system.js';

interface Submitted {
  submissionId: string;
  pharmacyOrderId: string;
  pharmacy: string;
}
interface Cancellation {
  state: string;
  reason: string | null;
}

async function submitted(): Promise<Submitted> {
  const { status, body } = await submit(inState('WA'));
  expect(status).toBe(201);
  return body;
}
const submit = (body: unknown) =>
  call<Submitted>(dev, 'router', {
    key: 'clinic_holds',
    method: 'POST',
    path: '/rx/prescriptions/submit',
    body,
  });
const post = <T>({ submissionId }: { submissionId: string }, path: string, body?: unknown) =>
  call<T>(dev, 'router', {
    key: 'clinic_holds',
    method: 'POST',
    path: `/rx/prescriptions/${submissionId}/${path}`,
    ...(body === undefined ? {} : { body }),
  });
const cancel = (order: { submissionId: string }) =>
  post<{ cancellation: Cancellation; error?: string }>(order, 'cancel');
const fault = (operation: string, kind: Fault['kind'], more: Partial<Fault> = {}) =>
  setFault(dev, { target: 'pharmacy_a', operation, kind, ...more });
const control = ({ pharmacy, pharmacyOrderId }: Submitted, what: string, body: unknown) =>
  sandbox(dev, `/pharmacies/${pharmacy}/orders/${pharmacyOrderId}/${what}`, { method: 'POST', body });
const record = async ({ submissionId }: { submissionId: string }) =>
  (await call(dev, 'router', { key: 'clinic_holds', path: `/rx/prescriptions/${submissionId}` })).body as {
    status: string;
    cancellation: Cancellation | null;
    holds: { state: string; answer: string | null }[];
  };
const keysSent = async (prefix: string) =>
  (await callsTo(dev, 'pharmacy_a'))
    .map(({ headers }) => headers['idempotency-key'] ?? '')
    .filter((key) => key.startsWith(prefix));
const itemsOf = ({ submissionId }: { submissionId: string }, kind: string) => sql<{ state: string }[]>`
  select state from router.work_item where kind = ${kind} and fact = ${submissionId}
`;
const unavailable = { status: 503 };
/** Once the pharmacy has been asked in vain. */
const askedToCancel = ({ submissionId }: Submitted) =>
  eventually(async () => (await keysSent(`cancel:${submissionId}`)).length > 0);

test('a cancellation whose answer is lost is asked for under the same key: the order is cancelled once', async () => {
  const order = await submitted();
  await fault('cancel', 'lost-answer', { times: 1 });
  expect((await cancel(order)).body.cancellation.state).toBe('approved');
  expect(new Set(await keysSent(`cancel:${order.submissionId}`)).size).toBe(1);
  const { orders } = await sandbox<{ orders: { orderId: string; moves: unknown[] }[] }>(dev, '/orders');
  expect(orders.find(({ orderId }) => orderId === order.pharmacyOrderId)?.moves).toHaveLength(1);
});

test('what ships while the pharmacy gives no answer is denied; 202 until then', async () => {
  const order = await submitted();
  await fault('cancel', 'status', unavailable);
  const pending = cancel(order);
  await askedToCancel(order);
  expect((await record(order)).cancellation).toMatchObject({ state: 'pending', reason: null });
  await control(order, 'status', { status: 'shipped' });
  expect((await pending).body.cancellation).toMatchObject({ state: 'denied', reason: 'already_shipped' });
  expect(await record(order)).toMatchObject({ status: 'shipped' });
});

test('what ships while the pharmacy is about to approve is cancelled', async () => {
  const order = await submitted();
  await control(order, 'cancellation', { answer: 'approve' });
  await fault('cancel', 'delay', { delayMs: 2_000, times: 1 });
  const pending = cancel(order);
  await faultsMet(dev);
  await control(order, 'status', { status: 'shipped' });
  expect((await record(order)).status).toBe('shipped');
  expect((await pending).body.cancellation).toMatchObject({ state: 'approved' });
  expect((await record(order)).status).toBe('cancelled');
});

test.each([
  ['delivered', { state: 'denied', reason: 'already_dispensed' }],
  ['cancelled', { state: 'approved', reason: null }],
])('that an order is %s settles its cancellation at once, without an answer', async (status, verdict) => {
  const order = await submitted();
  await fault('cancel', 'status', unavailable);
  const pending = cancel(order);
  await askedToCancel(order);
  await control(order, 'status', { status });
  expect((await pending).body.cancellation).toMatchObject(verdict);
  expect((await record(order)).status).toBe(status);
});

test('the router looks for an order of unknown outcome by its reference and cancels it if it exists', async () => {
  await fault('order', 'lost-answer');
  const lost = await submit(inState('WA'));
  expect(lost.status).toBe(502);
  await clearFaults(dev);
  expect((await cancel(lost.body)).body.cancellation).toMatchObject({ state: 'approved' });
  expect((await record(lost.body)).status).toBe('cancelled');
});

test('an order that is not there after all is denied as not_found, and from then on a rejection', async () => {
  await fault('order', 'drop');
  const body = inState('WA');
  const lost = await submit(body);
  expect(lost.status).toBe(502);
  await clearFaults(dev);
  expect((await cancel(lost.body)).body.cancellation).toMatchObject({ state: 'denied', reason: 'not_found' });
  expect(await cancel(lost.body)).toMatchObject({
    status: 409,
    body: { error: 'There is no order to cancel' },
  });
  // A rejection may be corrected.
  expect((await submit({ ...body, test: false })).status).toBe(201);
});

test('a person is asked once the hours are over, and the item closes by itself', async () => {
  const order = await submitted();
  await fault('cancel', 'status', unavailable);
  const pending = cancel(order);
  await askedToCancel(order);
  await sql`
    update router.cancellation set requested_at = now() - interval '25 hours' where submission_id = ${order.submissionId}
  `;
  await eventually(async () => (await itemsOf(order, 'cancellation_unanswered'))[0]?.state === 'open');
  const id = `cancellation:${order.submissionId}`;
  await eventually(async () => (await temporal.detailsOf(id)).includes('`cancellation_unanswered` is open'));
  await clearFaults(dev);
  // The same request asks once more.
  expect((await cancel(order)).body.cancellation.state).toBe('approved');
  expect((await pending).body.cancellation.state).toBe('approved');
  expect(await itemsOf(order, 'cancellation_unanswered')).toEqual([{ state: 'closed' }]);
});

test('an answer to a hold that is lost on the way is taken once; one under way keeps others out', async () => {
  const order = await submitted();
  await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
  await fault('answer', 'lost-answer', { times: 2 });
  const first = post<{ hold: { answer: string } }>(order, 'holds/h1/answer', { answer: 'proceed' });
  await eventually(async () => (await keysSent(`answer:${order.submissionId}`)).length > 0);
  expect((await post(order, 'holds/h1/answer', { answer: 'decline' })).status).toBe(409);
  expect((await first).body.hold.answer).toBe('proceed');
  expect(new Set(await keysSent(`answer:${order.submissionId}`)).size).toBe(1);
});

test('a hold whose answer the pharmacy refuses stays open: 502 in its words', async () => {
  const order = await submitted();
  await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
  await fault('answer', 'status', { status: 422, times: 1 });
  const refused = await post<{ error: string }>(order, 'holds/h1/answer', { answer: 'proceed' });
  expect([refused.status, (await record(order)).holds]).toMatchObject([
    502,
    [{ state: 'open', answer: null }],
  ]);
  expect((await post(order, 'holds/h1/answer', { answer: 'proceed' })).status).toBe(200);
});

test('an answer under way ends with the release of its hold: 409', async () => {
  const order = await submitted();
  await control(order, 'hold', { id: 'h1', code: 'clarify-rx' });
  await fault('answer', 'status', unavailable);
  const first = post(order, 'holds/h1/answer', { answer: 'proceed' });
  await eventually(async () => (await keysSent(`answer:${order.submissionId}`)).length > 0);
  await control(order, 'release', { id: 'h1' });
  expect((await first).status).toBe(409);
  expect((await record(order)).holds).toMatchObject([{ state: 'released', answer: null }]);
});

test('an order that its pharmacy was asked for three times in vain is a work item, until it is heard of', async () => {
  const order = await submitted();
  await fault('ask', 'status', unavailable);
  await sql`update router.submission set heard_at = now() - interval '2 days' where id = ${order.submissionId}`;
  await eventually(async () => {
    // One that is asked for while another is under way is left out.
    await temporal.client.schedule.getHandle('pharmacy-silence-check').trigger();
    const items = await itemsOf(order, 'order_silent');
    const [row] = await sql<{ askedInVain: number }[]>`
      select asked_in_vain from router.submission where id = ${order.submissionId}
    `;
    if (items.length > 0) expect(row?.askedInVain).toBeGreaterThanOrEqual(3);
    return items.length > 0;
  });
  await control(order, 'status', { status: 'processing' });
  expect(await itemsOf(order, 'order_silent')).toEqual([{ state: 'closed' }]);
});

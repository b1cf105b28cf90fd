import { describe, expect, test } from '@jest/globals';
import { atOnce, call, eventually, freshTask, shared } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import {
  approve,
  callsTo,
  chargesOf,
  messagesTo,
  runsOf,
  semaglutideFor,
  submissionIdOf,
} from './approvals.js';
import {
  atPharmacy,
  booked,
  cancel,
  cancelMails,
  refundsOf,
  reroute,
  statusesOf,
  wereLiveAtOnce,
} from './exceptions.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from './refills.js';

const dev = shared();

/** A task that is approved and charged, its order at pharmacy_a. */
async function approved(over: { medication?: string; taskId?: string } = {}) {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = { ...semaglutideFor(patient.id), ...over };
  expect((await approve(dev, approval)).status).toBe(200);
  const { taskId } = approval;
  const [order] = await booked(dev, taskId);
  return { patient, approval, taskId, order: order! };
}
const moved = (taskId: string, n: number, pharmacy: string) => ({
  success: true,
  taskId,
  pharmacy,
  submissionId: submissionIdOf(dev, `${taskId}#${n}`),
  reference: `${taskId}#${n}`,
});

const elsewhere = { addressLine1: ' 20 Beech Street', city: 'Seattle', state: 'wa', zip: '98101' };

describe('POST /orchestrator/reroute', () => {
  test('200: given back by the first, ordered once at the other, charged once, and nobody is told of a cancellation', async () => {
    const { patient, approval, taskId } = await approved();
    const { status, body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    expect([status, body]).toEqual([200, moved(taskId, 2, 'pharmacy_b')]);
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
    expect(await booked(dev, `${taskId}#2`)).toMatchObject([{ pharmacy: 'pharmacy_b', moves: [] }]);
    expect(await wereLiveAtOnce(dev, [taskId, `${taskId}#2`])).toBe(false);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect(await refundsOf(dev, taskId)).toEqual([]);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body;
    expect(schedules.map(({ status }) => status)).toEqual(['active']);

    const repeat = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    expect([repeat.status, repeat.body]).toEqual([200, body]);
    const again = await approve(dev, approval);
    expect([again.status, again.body.result.submissionId]).toEqual([200, body.submissionId]);

    // Cancelled now, it is the new order that is given back, and the patient is told once.
    const cancelled = await cancel(dev, { taskId, reason: 'No longer needed' });
    expect(cancelled.body.cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
    expect(await statusesOf(dev, `${taskId}#2`)).toEqual(['cancelled']);
    await eventually(async () => (await cancelMails(dev, patient)).length > 0);
    expect(await refundsOf(dev, taskId)).toHaveLength(1);
    expect(await cancelMails(dev, patient)).toHaveLength(1);
    const after = await reroute(dev, { taskId, pharmacy: 'pharmacy_c' });
    expect([after.status, after.body]).toEqual([409, { error: 'Task was cancelled' }]);
  });

  test('200 with a label of ours at pharmacy_c, and back again under the next number', async () => {
    const { taskId } = await approved();
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_c' })).body).toEqual(
      moved(taskId, 2, 'pharmacy_c'),
    );
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_a' })).body).toEqual(
      moved(taskId, 3, 'pharmacy_a'),
    );
    const references = [taskId, `${taskId}#2`, `${taskId}#3`];
    expect(await wereLiveAtOnce(dev, references)).toBe(false);
    expect(await statusesOf(dev, `${taskId}#3`)).toEqual([]);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
  });

  test('another address: ordered again at the same pharmacy, charged once; a later pharmacy and its label go there too', async () => {
    const { patient, taskId, order } = await approved();
    const asked = { taskId, pharmacy: 'pharmacy_a', shipTo: elsewhere };
    const { status, body } = await reroute(dev, asked);
    expect([status, body]).toEqual([200, moved(taskId, 2, 'pharmacy_a')]);
    expect((await reroute(dev, asked)).body).toEqual(body);
    expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
    const address = { line1: '20 Beech Street', city: 'Seattle', state: 'WA', zip: '98101' };
    const [second] = await booked(dev, `${taskId}#2`);
    const { firstName, lastName, phone } = order.body['shipTo'] as Record<string, string>;
    expect(second?.body['shipTo']).toEqual({ firstName, lastName, phone, ...address });
    expect([(await chargesOf(dev, taskId)).length, await cancelMails(dev, patient)]).toEqual([1, []]);

    const next = { ...asked, shipTo: { ...elsewhere, addressLine1: '7 Elm Road' } };
    expect((await reroute(dev, next)).body).toEqual(moved(taskId, 3, 'pharmacy_a'));
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_c' })).status).toBe(200);
    const reference = submissionIdOf(dev, `${taskId}#4`);
    const [label] = (await callsTo(dev, 'shipping')).filter(({ body }) => body['reference'] === reference);
    expect(label?.body['recipient']).toMatchObject({ ...address, line1: '7 Elm Road' });
    const references = [taskId, ...[2, 3, 4].map((n) => `${taskId}#${n}`)];
    expect(await wereLiveAtOnce(dev, references)).toBe(false);
  });

  test('another address is rejected and the order left alone: in another state, the present one, once dispensed, without an order', async () => {
    const { taskId, order } = await approved();
    const to = (shipTo: object) => reroute(dev, { taskId, pharmacy: 'pharmacy_a', shipTo });
    const far = await to({ ...elsewhere, state: 'NY' });
    expect([far.status, far.body]).toEqual([
      422,
      { error: 'An address in another state needs a new approval' },
    ]);
    const { line1, line2, city, state, zip } = order.body['shipTo'] as Record<string, string>;
    const present = await to({ addressLine1: line1, addressLine2: line2, city, state, zip });
    expect([present.status, present.body]).toEqual([422, { error: 'The order is at pharmacy_a already' }]);
    await atPharmacy(dev, order, 'cancellation', { answer: 'deny', reason: 'already-dispensed' });
    const late = await to(elsewhere);
    expect([late.status, late.body.cancellation]).toMatchObject([409, { reason: 'already_dispensed' }]);
    expect([await statusesOf(dev, taskId), await booked(dev, `${taskId}#2`)]).toEqual([[], []]);

    const patient = await newPatient(dev, 'TX');
    const rejected = { ...semaglutideFor(patient.id), medication: 'nad' };
    await approve(dev, rejected);
    const none = { taskId: rejected.taskId, pharmacy: 'pharmacy_a', shipTo: { ...elsewhere, state: 'TX' } };
    expect((await reroute(dev, none)).body).toEqual({ error: 'There is no order to move' });
  });

  test('what was changed on a question of the first pharmacy is ordered at the other', async () => {
    const { taskId, order } = await approved();
    await atPharmacy(dev, order, 'hold', { id: 'h1', code: 'clarify-rx' });
    const changes = { sig: 'Inject 0.25 mg under the skin once a week', quantity: 3 };
    const path = `/rx/prescriptions/${submissionIdOf(dev, taskId)}/holds/h1/answer`;
    const answer = { key: 'orchestrator', method: 'POST', path, body: { answer: 'change', changes } };
    expect((await call(dev, 'router', answer)).status).toBe(200);
    expect((await reroute(dev, { taskId, pharmacy: 'pharmacy_b' })).status).toBe(200);
    const [second] = await booked(dev, `${taskId}#2`);
    expect(second?.body).toMatchObject({ directions: changes.sig, quantity: 3 });
  });

  test('409 where the pharmacy keeps the order, which is left as it is', async () => {
    const { taskId, order } = await approved();
    await atPharmacy(dev, order, 'cancellation', { answer: 'deny', reason: 'already-shipped' });
    const { status, body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    const cancellation = {
      state: 'denied',
      reason: 'already_shipped',
      refundedCents: 0,
      refillsCancelled: 0,
      replacementsCancelled: 0,
    };
    expect([status, body]).toEqual([
      409,
      { error: 'The pharmacy has not given the order back', cancellation },
    ]);
    expect(await statusesOf(dev, taskId)).toEqual([]);
    expect(await booked(dev, `${taskId}#2`)).toEqual([]);
  });

  test('422 for the same pharmacy, and for one that cannot fill it: the order is left alone', async () => {
    const { taskId } = await approved({ medication: 'nad' });
    for (const pharmacy of ['pharmacy_a', 'pharmacy_b']) {
      const { status, body } = await reroute(dev, { taskId, pharmacy });
      expect([pharmacy, status, body]).toEqual([pharmacy, 422, { error: expect.any(String) }]);
    }
    expect(await statusesOf(dev, taskId)).toEqual([]);
    expect((await cancel(dev, { taskId, reason: 'x' })).body.cancellation.state).toBe('approved');
  });

  test('a task whose order was rejected resumes at step 4 and is charged once', async () => {
    const patient = await newPatient(dev, 'TX');
    await saveCard(dev, patient);
    const approval = { ...semaglutideFor(patient.id), medication: 'nad' };
    const { taskId } = approval;
    expect((await approve(dev, approval)).body.failedStep).toBe('pharmacy_submission');
    expect(await chargesOf(dev, taskId)).toEqual([]);
    const { status, body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_a' });
    expect([status, body]).toEqual([200, moved(taskId, 2, 'pharmacy_a')]);
    expect((await runsOf(dev, taskId)).map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect(await booked(dev, `${taskId}#2`)).toHaveLength(1);
    expect(await messagesTo(dev, patient)).toHaveLength(2);
    const again = await approve(dev, approval);
    expect([again.status, again.body.result.submissionId]).toEqual([200, body.submissionId]);
  });

  test('200 for each of five at once, with one order; another pharmacy meanwhile is refused or comes after', async () => {
    const { taskId } = await approved();
    const answers = await atOnce(5, () => reroute(dev, { taskId, pharmacy: 'pharmacy_b' }));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.reference}`))).toEqual(
      new Set([`200 ${taskId}#2`]),
    );
    expect(await booked(dev, `${taskId}#2`)).toHaveLength(1);
    expect(await booked(dev, `${taskId}#3`)).toEqual([]);
  });

  test('a task may be called like the reference of another: each has its own order', async () => {
    const before = await approved();
    const second = await approved({ taskId: `${before.taskId}#2` });
    expect((await reroute(dev, { taskId: before.taskId, pharmacy: 'pharmacy_b' })).body.reference).toBe(
      `${before.taskId}#3`,
    );
    expect(await statusesOf(dev, second.taskId)).toEqual([]);

    const first = await approved();
    await reroute(dev, { taskId: first.taskId, pharmacy: 'pharmacy_b' });
    const patient = await newPatient(dev, 'WA');
    const late = { ...semaglutideFor(patient.id), taskId: `${first.taskId}#2` };
    expect((await approve(dev, late)).status).toBe(200);
    expect(await booked(dev, `${first.taskId}#2`)).toHaveLength(1);
    expect(await booked(dev, `${first.taskId}#2#2`)).toHaveLength(1);
  });

  test('a reference may be longer than a task: 200 characters and a number', async () => {
    const taskId = freshTask().padEnd(200, 'x');
    await approved({ taskId });
    const { status, body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    expect([status, body.reference]).toEqual([200, `${taskId}#2`]);
  });

  test('the newest refill of a schedule is moved', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(-1) });
    await checkRefills(dev);
    const { status, body } = await reroute(dev, { taskId: `refill-${id}`, pharmacy: 'pharmacy_b' });
    expect([status, body.reference]).toEqual([200, `refill-${id}-1#2`]);
    expect(await statusesOf(dev, `refill-${id}-1`)).toEqual(['cancelled']);
    expect(await booked(dev, `refill-${id}-1#2`)).toHaveLength(1);
    expect(await chargesOf(dev, `refill-${id}-1`)).toHaveLength(1);
  });

  test('404 for an unknown task; 409 for a task that was denied, or failed before an order', async () => {
    const unknown = await reroute(dev, { taskId: freshTask(), pharmacy: 'pharmacy_b' });
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Task not found' }]);
    const taskId = freshTask();
    await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: { taskId } });
    const denied = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    expect([denied.status, denied.body]).toEqual([409, { error: 'Task was denied' }]);
    const failing = semaglutideFor('nobody');
    await approve(dev, failing);
    const failed = await reroute(dev, { taskId: failing.taskId, pharmacy: 'pharmacy_b' });
    expect([failed.status, failed.body]).toEqual([409, { error: 'There is no order to move' }]);
  });

  test('400 names the field at fault', async () => {
    const shipTo = { ...elsewhere, zip: '1' };
    const { status, body } = await reroute(dev, { taskId: 'task', pharmacy: 'pharmacy_d', shipTo });
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.details.map((issue) => issue.path)).toEqual(['pharmacy', 'shipTo.zip']);
  });
});

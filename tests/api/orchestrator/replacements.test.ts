import { describe, expect, test } from '@jest/globals';
import { atOnce, call, eventually, freshTask, shared } from '../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../helpers/patients.js';
import { approve, chargesOf, messagesTo, semaglutideFor, shipmentsOf, submissionIdOf } from './approvals.js';
import { booked } from './exceptions.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from './refills.js';
import { lost, mailsOf, replace, replacementIs, replacementsOf, shipAt, shipped } from './replacements.js';

const dev = shared();
const elsewhere = { addressLine1: '7 Other Road', city: 'Albany', state: 'NY', zip: '12207' };

describe('POST /orchestrator/replacements', () => {
  test('200: the same prescription once more at the same pharmacy and address, uncharged, and told once', async () => {
    const { patient, taskId, order } = await shipped(dev);
    const { status, body } = await replace(dev, lost(taskId, { note: 'Carrier says so' }));
    const reference = `${taskId}~1`;
    const replacement = {
      n: 1,
      reference,
      submissionId: submissionIdOf(dev, reference),
      pharmacy: 'pharmacy_a',
      reason: 'lost',
      paidBy: 'carrier',
      state: 'ordered',
      at: expect.any(String),
    };
    expect([status, body]).toEqual([200, { success: true, taskId, replacement }]);
    const [again] = await booked(dev, reference);
    const { externalId: _first, ...prescribed } = order.body;
    const { externalId: _again, ...ordered } = again!.body;
    expect(ordered).toEqual(prescribed);
    expect(await booked(dev, reference)).toHaveLength(1);
    expect([await chargesOf(dev, taskId), await chargesOf(dev, reference)]).toEqual([
      [expect.anything()],
      [],
    ]);
    expect(await replacementsOf(dev, taskId)).toEqual([replacement]);
    const told = await mailsOf(dev, patient.email, /changed/);
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('A replacement is on its way')]);
    expect(told[0]?.text).toContain(taskId);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${patient.id}`)).body;
    expect(schedules).toMatchObject([{ status: 'active', refillsSent: 0 }]);
  });

  test('an equal body is answered again until it is delivered; another is 409; then the next n follows', async () => {
    const { taskId } = await shipped(dev);
    const first = await replace(dev, lost(taskId));
    const repeat = await replace(dev, lost(taskId));
    expect([repeat.status, repeat.body, repeat.headers.get('idempotent-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ]);
    const other = await replace(dev, lost(taskId, { reason: 'damaged' }));
    expect([other.status, other.body]).toEqual([409, { error: 'A replacement is under way' }]);
    const [order] = await booked(dev, `${taskId}~1`);
    await shipAt(dev, order!);
    await replacementIs(dev, taskId, 'shipped');
    expect((await replace(dev, lost(taskId))).headers.get('idempotent-replayed')).toBe('true');
    await shipAt(dev, order!, 'delivered');
    await replacementIs(dev, taskId, 'delivered');
    const next = await replace(dev, lost(taskId));
    expect([next.status, next.body.replacement.reference, next.headers.get('idempotent-replayed')]).toEqual([
      200,
      `${taskId}~2`,
      null,
    ]);
    expect((await replacementsOf(dev, taskId)).map(({ n, state }) => [n, state])).toEqual([
      [1, 'delivered'],
      [2, 'ordered'],
    ]);
  });

  test('five at once order once', async () => {
    const { taskId } = await shipped(dev);
    const answers = await atOnce(5, () => replace(dev, lost(taskId)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.replacement.reference}`))).toEqual(
      new Set([`200 ${taskId}~1`]),
    );
    expect(await booked(dev, `${taskId}~1`)).toHaveLength(1);
    expect(await booked(dev, `${taskId}~2`)).toEqual([]);
  });

  test('another address in the same state: the same pharmacy; its tracking goes there and is told', async () => {
    const { patient, taskId } = await shipped(dev);
    const shipTo = { addressLine1: ' 7 Other Road', city: 'Seattle', state: 'wa', zip: '98101-1234' };
    const reference = `${taskId}~1`;
    expect((await replace(dev, lost(taskId, { shipTo }))).body.replacement.pharmacy).toBe('pharmacy_a');
    const [order] = await booked(dev, reference);
    expect(JSON.stringify(order?.body)).toContain('7 Other Road');
    await shipAt(dev, order!);
    await eventually(async () => (await shipmentsOf(dev, reference)).length > 0);
    await eventually(async () => (await mailsOf(dev, patient.email, /Your order has shipped/)).length === 1);
  });

  test('another state: the pharmacy of its route, with a label of ours for that address', async () => {
    const { taskId } = await shipped(dev);
    const { status, body } = await replace(dev, lost(taskId, { shipTo: elsewhere }));
    expect([status, body.replacement.pharmacy]).toEqual([200, 'pharmacy_c']);
    expect(await shipmentsOf(dev, `${taskId}~1`)).toHaveLength(1);
  });

  test('422 for a state without a route or an article, and nothing is ordered', async () => {
    const { taskId } = await shipped(dev);
    const noRoute = await replace(dev, lost(taskId, { shipTo: { ...elsewhere, state: 'CA' } }));
    expect([noRoute.status, noRoute.body]).toEqual([
      422,
      { error: 'No pharmacy route configured for state: CA' },
    ]);
    const nad = await shipped(dev, { medication: 'nad' });
    const noArticle = await replace(dev, lost(nad.taskId, { shipTo: { ...elsewhere, state: 'TX' } }));
    expect([noArticle.status, noArticle.body]).toEqual([
      422,
      { error: 'pharmacy_b cannot fill this prescription' },
    ]);
    for (const task of [taskId, nad.taskId]) {
      expect(await replacementsOf(dev, task)).toEqual([]);
      expect(await booked(dev, `${task}~1`)).toEqual([]);
    }
  });

  test('409 with the text of step 2 for a patient who has left since', async () => {
    const { patient, taskId } = await shipped(dev);
    await changeInEmr(dev, patient, (record) => void (record.deceasedBoolean = true));
    const { status, body } = await replace(dev, lost(taskId));
    expect([status, body]).toEqual([409, { error: `Patient is deceased in EMR: ${patient.id}` }]);
    expect(await booked(dev, `${taskId}~1`)).toEqual([]);
  });

  test('an n whose reference is a task is left out, and such a task may come later', async () => {
    const { taskId } = await shipped(dev);
    const patient = await newPatient(dev, 'WA');
    await approve(dev, { ...semaglutideFor(patient.id), taskId: `${taskId}~1` });
    const body = { taskId: `${taskId}~2` };
    await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body });
    const reference = `${taskId}~3`;
    expect((await replace(dev, lost(taskId))).body.replacement).toMatchObject({ n: 3, reference });
    await saveCard(dev, patient);
    const late = { ...semaglutideFor(patient.id), taskId: reference };
    expect((await approve(dev, late)).status).toBe(200);
    expect(await booked(dev, reference)).toHaveLength(1);
    expect(await booked(dev, `${reference}#2`)).toHaveLength(1);
    expect(await chargesOf(dev, reference)).toHaveLength(1);
  });

  test('references may be 220 long', async () => {
    const { taskId } = await shipped(dev, { taskId: freshTask().padEnd(200, 'x') });
    expect((await replace(dev, lost(taskId))).body.replacement.reference).toBe(`${taskId}~1`);
  });

  test('the newest refill of a schedule is replaced; the schedule stays as it is', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(-1) });
    await checkRefills(dev);
    const [order] = await booked(dev, `refill-${id}-1`);
    await shipAt(dev, order!);
    const taskId = `refill-${id}`;
    await saveCard(dev, patient, { card: 'pm_card_chargeCustomerFail' });
    const { status, body } = await replace(dev, lost(taskId, { paidBy: 'patient' }));
    expect([status, body.taskId, body.replacement.reference]).toEqual([200, taskId, `refill-${id}-1~1`]);
    // The charge of the refill is another.
    const path = `/orchestrator/payments/${taskId}/retry`;
    const retried = await call(dev, 'orchestrator', { method: 'POST', path });
    expect([retried.status, retried.body]).toEqual([409, { error: 'Payment is succeeded' }]);
    expect([await chargesOf(dev, `refill-${id}-1`), await chargesOf(dev, `refill-${id}-1~1`)]).toEqual([
      [expect.anything()],
      [],
    ]);
    expect(await replacementsOf(dev, taskId)).toHaveLength(1);
    const { body: kept } = await call<{ schedule: { refillsSent: number } }>(dev, 'orchestrator', {
      path: `/orchestrator/refill-schedules/${id}`,
    });
    expect(kept.schedule.refillsSent).toBe(1);
  });

  test('404 for an unknown task; 409 for an order that has not shipped, or a task without one', async () => {
    const unknown = await replace(dev, lost(freshTask()));
    expect([unknown.status, unknown.body]).toEqual([404, { error: 'Task not found' }]);
    const patient = await newPatient(dev, 'WA');
    const approval = semaglutideFor(patient.id);
    await approve(dev, approval);
    const failing = semaglutideFor('nobody');
    await approve(dev, failing);
    const denied = freshTask();
    await call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/deny',
      body: { taskId: denied },
    });
    for (const taskId of [approval.taskId, failing.taskId, denied]) {
      const { status, body } = await replace(dev, lost(taskId));
      expect([status, body]).toEqual([409, { error: 'The order has not shipped' }]);
    }
    expect(await messagesTo(dev, patient)).not.toHaveLength(0);
  });

  test('400 names the fields at fault', async () => {
    const { status, body } = await replace(dev, {
      taskId: 'task',
      reason: 'stolen',
      paidBy: 'nobody',
      note: 'x'.repeat(501),
      shipTo: { addressLine1: ' ', city: 'X', state: 'WAS', zip: '1234', country: 'Canada' },
    });
    expect([status, body.error]).toEqual([400, 'Validation failed']);
    expect(body.details.map(({ path }) => path).sort()).toEqual([
      'note',
      'paidBy',
      'reason',
      'shipTo.addressLine1',
      'shipTo.country',
      'shipTo.state',
      'shipTo.zip',
    ]);
  });

  test('the timeline tells of it as an order', async () => {
    const { taskId } = await shipped(dev);
    await replace(dev, lost(taskId, { paidBy: 'patient' }));
    const path = `/orchestrator/timeline/${taskId}`;
    const { body } = await call<{ entries: { kind: string; text: string; state: string }[] }>(
      dev,
      'orchestrator',
      { path },
    );
    const text = `Replaced at pharmacy_a as ${taskId}~1: lost, paid by patient`;
    expect(body.entries).toContainEqual(expect.objectContaining({ kind: 'order', text, state: 'ordered' }));
    expect(body.entries.filter(({ kind }) => kind === 'charge')).toHaveLength(2);
  });
});

import { afterAll, describe, expect, test } from '@jest/globals';
import { cancel as cancelWithin } from '../../../../api/orchestrator/cancel.js';
import { createSql } from '../../../../db/client.js';
import { eraseRuns } from '../../../../db/retention/erasing.js';
import { cancelApproval, followCancelledOrder } from '../../../../starts/order-changes.js';
import { closeParts, contextOf } from '../../../activities/real-parts.js';
import { call, eventually, shared } from '../../../helpers/client.js';
import { newPatient, saveCard } from '../../../helpers/patients.js';
import { approve, approveAsync, chargesOf, runsOf, semaglutideFor, submissionIdOf } from '../approvals.js';
import { atPharmacy, booked, cancel, refundsOf, reroute, statusesOf, wereLiveAtOnce } from '../exceptions.js';
import { checkRefills, dayFromToday, newSchedule, schedulesAt } from '../refills.js';

const dev = shared();
const sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
afterAll(() => Promise.all([sql.end(), closeParts()]));
const reason = 'Prescribed twice.';

async function withCard(card?: string) {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient, card === undefined ? {} : { card });
  return { patient, approval: semaglutideFor(patient.id) };
}
/** Both at once; which of them is sent first is the order. */
async function racing<A, B>(order: string, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  if (order === 'the first') return Promise.all([one(), other()]);
  const second = other();
  return Promise.all([one(), second]);
}
/** The points of an approval at which the test cancels it. */
const stages: ((taskId: string) => Promise<boolean>)[] = [
  async (taskId) => (await runsOf(dev, taskId)).length > 0,
  async (taskId) => (await booked(dev, taskId)).length > 0,
  async (taskId) => (await chargesOf(dev, taskId)).length > 0,
];
const orders = [['the first'], ['the second']];
/** One live order at most, and none of a cancelled task; what was charged stands once, or is refunded once. */
async function settledOnce(taskId: string, isCancelled: boolean): Promise<void> {
  const references = [taskId, `${taskId}#2`, `${taskId}#3`];
  expect(await wereLiveAtOnce(dev, references)).toBe(false);
  const orders = (await Promise.all(references.map((reference) => booked(dev, reference)))).flat();
  const live = orders.filter(({ moves }) => moves.length === 0);
  expect(live).toHaveLength(isCancelled ? 0 : 1);
  const [charges, refunds] = [await chargesOf(dev, taskId), await refundsOf(dev, taskId)];
  expect(charges.length).toBeLessThanOrEqual(1);
  expect(refunds).toHaveLength(isCancelled ? charges.length : 0);
}

describe.each(orders)('of two at once, with %s sent first,', (order) => {
  test('an approval and its cancellation: ordered and charged at most once, and then given back', async () => {
    const { approval } = await withCard();
    const { taskId } = approval;
    const [answer, cancelled] = await racing(
      order,
      () => approve(dev, approval),
      () => cancel(dev, { taskId, reason }),
    );
    // Sent before the task was known, there was nothing to cancel.
    const isCancelled = cancelled.status === 200;
    expect([200, 404]).toContain(cancelled.status);
    if (!isCancelled) expect(answer.status).toBe(200);
    await settledOnce(taskId, isCancelled);
    expect((await approve(dev, approval)).status).toBe(isCancelled ? 409 : 200);
  });

  test('a run under way and its cancellation: taken back wherever it was', async () => {
    for (const isReached of stages) {
      const { approval } = await withCard();
      const { taskId } = approval;
      await approveAsync(dev, approval);
      await eventually(() => isReached(taskId));
      expect((await cancel(dev, { taskId, reason })).body.cancellation.state).toBe('approved');
      await settledOnce(taskId, true);
    }
  });

  test('a cancellation and a reroute: moved and then cancelled, or cancelled and not moved', async () => {
    const { approval } = await withCard();
    const { taskId } = approval;
    await approve(dev, approval);
    const [cancelled, rerouted] = await racing(
      order,
      () => cancel(dev, { taskId, reason }),
      () => reroute(dev, { taskId, pharmacy: 'pharmacy_b' }),
    );
    expect(cancelled.body.cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
    expect([200, 409]).toContain(rerouted.status);
    await settledOnce(taskId, true);
  });

  test('a cancellation and a charge that is made again: nothing is charged, or it is refunded', async () => {
    const { patient, approval } = await withCard('pm_card_chargeCustomerFail');
    const { taskId } = approval;
    await approve(dev, approval);
    await saveCard(dev, patient);
    const path = `/orchestrator/payments/${taskId}/retry`;
    const [cancelled] = await racing(
      order,
      () => cancel(dev, { taskId, reason }),
      () => call(dev, 'orchestrator', { method: 'POST', path }),
    );
    expect(cancelled.body.cancellation.state).toBe('approved');
    await settledOnce(taskId, true);
  });

  test('two reroutes to different pharmacies: one order', async () => {
    const { approval } = await withCard();
    const { taskId } = approval;
    await approve(dev, approval);
    const answers = await racing(
      order,
      () => reroute(dev, { taskId, pharmacy: 'pharmacy_b' }),
      () => reroute(dev, { taskId, pharmacy: 'pharmacy_c' }),
    );
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    await settledOnce(taskId, false);
  });

  test('a refill check and the cancellation of its approval: the refills end, and what was sent stays', async () => {
    const { patient, approval } = await withCard();
    await approve(dev, approval);
    const { id } = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: dayFromToday(-1) });
    const [, cancelled] = await racing(
      order,
      () => checkRefills(dev),
      () => cancel(dev, { taskId: `refill-${id}`, reason, stopRefills: true }),
    );
    const { schedule } = (await schedulesAt(dev, `/${id}`)).body;
    const reference = `refill-${id}-1`;
    const charges = await chargesOf(dev, reference);
    if (cancelled.status === 200) {
      expect(schedule).toMatchObject({ status: 'cancelled', refillsSent: 1 });
      expect((await statusesOf(dev, reference)).length).toBe((await booked(dev, reference)).length);
      expect(await refundsOf(dev, reference)).toHaveLength(charges.length);
    } else {
      expect([cancelled.status, schedule.status, charges.length]).toEqual([404, 'active', 1]);
    }
  });
});

test('a move to another address whose run was lost resumes with that address, and an erasure waits for it', async () => {
  const { patient, approval } = await withCard();
  const { taskId } = approval;
  expect((await approve(dev, approval)).status).toBe(200);
  const shipTo = { addressLine1: '20 Beech Street', city: 'Seattle', state: 'WA', zip: '98101' };
  const lost = (since: string) => sql`
    update orchestrator.task set
      changing = 'reroute', changing_since = now() - ${since}::interval, reroute_to = 'pharmacy_a',
      reroute_ship_to = ${sql.json(shipTo)}
    where task_id = ${taskId}
  `;
  await lost('0');
  const scope = {
    patientId: '',
    mrn: '',
    emrPatientIds: [patient.id],
    intakeIds: [],
    emails: [],
    people: [],
  };
  expect((await eraseRuns(sql, scope)).waiting).toBe(1);
  await lost('1 hour');
  const order = await eventually(async () => (await booked(dev, `${taskId}#2`))[0]);
  expect(order.body['shipTo']).toMatchObject({ line1: '20 Beech Street' });
  await eventually(async () => (await eraseRuns(sql, scope)).waiting === 0);
});

/** A schedule with two refills sent. The cancellation of a refill waits for its run while that is `running`. */
async function twoRefills() {
  const { patient } = await withCard();
  const { id } = await newSchedule(dev, { emrPatientId: patient.id });
  const taskId = `refill-${id}`;
  const references = [`${taskId}-1`, `${taskId}-2`] as const;
  for (const n of [1, 2]) {
    await sql`update orchestrator.refill_schedule set next_fill_date = ${dayFromToday(0)} where id = ${id}`;
    await checkRefills(dev, { scheduleIds: [id] });
    await eventually(async () => (await schedulesAt(dev, `/${id}`)).body.schedule.refillsSent === n);
  }
  const become = (reference: string, state: 'running' | 'completed') =>
    sql`update orchestrator.task set state = ${state} where task_id = ${reference}`;
  const ask = (reference: string) =>
    cancelApproval(
      contextOf('orchestrator').temporal,
      taskId,
      { reference, reason, stopRefills: false, requestedBy: 'test' },
      0,
    );
  const newestIs = async (state: string) => {
    const [newest] = (await runsOf(dev, taskId)) as unknown as { cancellation: { state: string } | null }[];
    return newest?.cancellation?.state === state;
  };
  return { taskId, references, become, ask, newestIs };
}

test('a cancellation that has to wait for another one of its schedule is recorded, and made after that one', async () => {
  const { taskId, references, become, ask, newestIs } = await twoRefills();
  const [first, second] = references;
  await become(first, 'running');
  await ask(first);
  const { cancellation } = await cancelWithin(contextOf('orchestrator'), { taskId, reason }, 'test', 1_000);
  expect(cancellation.state).toBe('pending');
  expect(await newestIs('pending')).toBe(true);

  await become(first, 'completed');
  await sql`update orchestrator.task set changing_since = now() - interval '1 hour' where task_id = ${second}`;
  for (const reference of references) {
    await eventually(async () => (await refundsOf(dev, reference)).length === 1);
    expect(await statusesOf(dev, reference)).toEqual(['cancelled']);
  }
});

test('a cancellation asked for again after a denial is recorded and made, although the run that was denied follows another order', async () => {
  const { taskId, references, become, ask, newestIs } = await twoRefills();
  const [first, second] = references;
  const [order] = await booked(dev, second);
  await atPharmacy(dev, order!, 'cancellation', { answer: 'deny', reason: 'already-shipped' });
  for (const reference of references) await become(reference, 'running');
  await ask(second);
  const context = contextOf('orchestrator');
  const signaled = { heldBy: first, reference: first, submissionId: submissionIdOf(dev, first) };
  await followCancelledOrder(context.temporal, taskId, signaled);
  await become(second, 'completed');
  await eventually(() => newestIs('denied'));

  await atPharmacy(dev, order!, 'cancellation', { answer: 'approve' });
  const request = { taskId, reason };
  expect((await cancelWithin(context, request, 'test', 1_000)).cancellation.state).toBe('pending');
  expect(await newestIs('pending')).toBe(true);
  const answer = cancelWithin(context, request, 'test');
  await become(first, 'completed');
  expect((await answer).cancellation).toMatchObject({ state: 'approved', refundedCents: 29_900 });
  expect(await statusesOf(dev, second)).toEqual(['cancelled']);
});

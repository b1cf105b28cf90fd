import { expect, test } from '@jest/globals';
import { call, eventually } from '../../helpers/client.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import {
  approve,
  callsTo,
  chargesOf,
  messagesTo,
  semaglutideFor,
  submissionIdOf,
} from '../../api/orchestrator/approvals.js';
import {
  atPharmacy,
  booked,
  refundsOf,
  reroute,
  statusesOf,
  wereLiveAtOnce,
} from '../../api/orchestrator/exceptions.js';
import { setFault } from '../faults.js';
import { dev, sql, temporal } from '../faulty-system.js';

interface Callbacks {
  callbacks: { kind: string; state: string; payload: { status: string; hold?: { state: string } } }[];
}

test('asked, the answer lost, the workers killed while they try, then ordered elsewhere: one live order, one charge, told in order', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const approval = semaglutideFor(patient.id);
  const { taskId } = approval;
  expect((await approve(dev, approval)).status).toBe(200);
  const submissionId = submissionIdOf(dev, taskId);
  const ofOrder = (path: string, body?: object) =>
    call(dev, 'router', {
      key: 'orchestrator',
      path: `/rx/prescriptions/${submissionId}${path}`,
      ...(body && { method: 'POST', body }),
    });
  const [order] = await booked(dev, taskId);

  await atPharmacy(dev, order!, 'hold', { id: 'h1', code: 'clarify-rx' });
  await setFault(dev, { target: 'pharmacy_a', operation: 'answer', kind: 'lost-answer' });
  const answer = ofOrder('/holds/h1/answer', { answer: 'proceed' });
  const answersSent = async () =>
    (await callsTo(dev, 'pharmacy_a')).filter(({ path }) =>
      path.endsWith(`${order!.orderId}/holds/h1/answer`),
    );
  await eventually(async () => (await answersSent()).length > 0);
  process.kill(dev.pids.workers, 'SIGKILL');

  const moved = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
  expect([moved.status, moved.body]).toMatchObject([
    200,
    { reference: `${taskId}#2`, pharmacy: 'pharmacy_b' },
  ]);
  expect([200, 202, 409]).toContain((await answer).status);

  expect(await statusesOf(dev, taskId)).toEqual(['cancelled']);
  expect(await booked(dev, `${taskId}#2`)).toMatchObject([{ pharmacy: 'pharmacy_b', moves: [] }]);
  expect(await wereLiveAtOnce(dev, [taskId, `${taskId}#2`])).toBe(false);
  expect([(await chargesOf(dev, taskId)).length, await refundsOf(dev, taskId)]).toEqual([1, []]);
  // However often it was sent, it was one answer.
  const keys = (await answersSent()).map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(1);

  // The orchestrator heard it as it happened, and a person was asked until there was nothing to answer.
  const told = await eventually(async () => {
    const { callbacks } = (await ofOrder('/callbacks')).body as unknown as Callbacks;
    return callbacks.length >= 3 && callbacks;
  });
  expect(told.map(({ kind, payload }) => [kind, payload.hold?.state ?? payload.status])).toEqual([
    ['hold', 'open'],
    ['update', 'cancelled'],
    ['hold', 'released'],
  ]);
  const items = await sql`select state, closed_by from router.work_item where fact = ${`${submissionId}:h1`}`;
  expect(items).toEqual([{ state: 'closed', closedBy: 'system' }]);
  await eventually(async () => (await temporal.statusOf(`hold:${submissionId}:h1`)) === 'COMPLETED');
  // A stranger reads what happened.
  const entries = await eventually(async () => {
    const { body } = await call<{ entries: { kind: string; text: string; state: string | null }[] }>(
      dev,
      'orchestrator',
      { path: `/orchestrator/timeline/${taskId}` },
    );
    // The worklist has heard that there is nothing to answer any more.
    return body.entries.filter(({ kind }) => kind === 'work_item').length === 2 && body.entries;
  });
  const named = (text: string) =>
    text.replaceAll(taskId, 'the task').replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '…');
  const story = entries
    .filter(({ kind }) => !['step', 'run', 'callback', 'message', 'shipment', 'refill'].includes(kind))
    .map(({ kind, text, state }) => `${kind}: ${named(text)}, ${state ?? '-'}`);
  expect(story).toEqual([
    'order: Order … for pharmacy_a, cancelled',
    'pharmacy: pharmacy_a has taken the order, submitted',
    'charge: Charge 1: 299.00 USD, succeeded',
    'hold: pharmacy_a asks: clarify_prescription, released',
    'work_item: The pharmacy holds an order: clarify_prescription, closed',
    'cancellation: pharmacy_a was asked to cancel, approved',
    'pharmacy: pharmacy_a says cancelled, cancelled',
    'work_item: The pharmacy holds an order: closed automatically, closed',
    'order: Moved to pharmacy_b under the reference the task#2, -',
    'order: Order … for pharmacy_b, submitted',
    'pharmacy: pharmacy_b has taken the order, submitted',
  ]);
  // To the patient nothing has happened.
  expect((await messagesTo(dev, patient)).map(({ channel }) => channel)).toEqual(['email', 'sms']);
});

import { describe, expect, test } from '@jest/globals';
import { atOnce, eventually, patientIn, shared } from '../../helpers/client.js';
import {
  approve,
  approveAsync,
  callsTo,
  chargesOf,
  endedRun,
  messagesTo,
  ordersOf,
  runsOf,
  semaglutideFor,
  shipmentsOf,
  submissionIdOf,
} from './approvals.js';
import { newPatient, saveCard } from '../../helpers/patients.js';

const dev = shared();
const conflict = [409, { error: 'Task already approved with different details' }];

describe('POST /orchestrator/approve, repeated (D32)', () => {
  test('200 with the recorded answer and Idempotent-Replayed after it has completed; nothing runs twice', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const first = await approve(dev, approval);
    const [run] = await runsOf(dev, approval.taskId);
    const { emrPatientId, medication, taskId } = approval;
    const replayed = await approve(dev, { emrPatientId, medication, taskId, unknown: 'field' });
    expect([replayed.status, replayed.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(replayed.body).toEqual(first.body);
    expect(await runsOf(dev, taskId)).toEqual([run]);
    expect(await ordersOf(dev, taskId)).toHaveLength(1);
    expect(await chargesOf(dev, taskId)).toHaveLength(1);
    expect(await shipmentsOf(dev, taskId)).toHaveLength(1);
    expect(await messagesTo(dev, patient)).toHaveLength(2);
  });

  test('200 with the recorded answer for a repeat with Prefer: respond-async', async () => {
    const approval = semaglutideFor(patientIn(dev, 'OH'));
    const first = await approve(dev, approval);
    const { status, headers, body } = await approveAsync(dev, approval);
    expect([status, headers.get('idempotent-replayed'), body]).toEqual([200, 'true', first.body]);
  });

  test('the same run answers a repeat while it is under way: 202 with the same runId, then its result', async () => {
    const approval = semaglutideFor(patientIn(dev, 'OH'));
    const [first, second, third] = await Promise.all([
      approveAsync(dev, approval),
      approveAsync(dev, approval),
      approve(dev, approval),
    ]);
    expect([first.status, second.status, third.status]).toEqual([202, 202, 200]);
    expect(second.body).toEqual(first.body);
    expect((await runsOf(dev, approval.taskId)).map(({ id }) => id)).toEqual([first.body.runId]);
  });

  test.each([
    ['medication', { medication: 'tirzepatide' }],
    ['patient', { emrPatientId: patientIn(dev, 'WA') }],
    ['dosage', { dosage: 'one drop' }],
  ])('409 for another %s once it has completed', async (_name, change) => {
    const approval = semaglutideFor(patientIn(dev, 'OH'));
    await approve(dev, approval);
    const { status, body } = await approve(dev, { ...approval, ...change });
    expect([status, body]).toEqual(conflict);
    expect(await runsOf(dev, approval.taskId)).toHaveLength(1);
  });

  test('409 for a dosage left out that was given before', async () => {
    const approval = { ...semaglutideFor(patientIn(dev, 'OH')), dosage: 'one drop' };
    await approve(dev, approval);
    const { dosage: _left, ...without } = approval;
    expect((await approve(dev, without)).status).toBe(409);
  });

  test('after a failure a new run starts, with the same details or with others', async () => {
    const approval = semaglutideFor('nobody');
    await approve(dev, approval);
    expect((await approve(dev, approval)).status).toBe(500);
    const corrected = await approve(dev, { ...approval, emrPatientId: patientIn(dev, 'OH') });
    expect([corrected.status, corrected.headers.get('idempotent-replayed')]).toEqual([200, null]);
    const runs = await runsOf(dev, approval.taskId);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'failed', 'failed']);
    expect(new Set(runs.map(({ id }) => id)).size).toBe(3);
  });

  test("the router's no is final for the run: a failed step 4 is submitted anew by the next run only", async () => {
    const approval = semaglutideFor(patientIn(dev, 'TX'));
    await approve(dev, { ...approval, medication: 'nad' });
    expect(await ordersOf(dev, approval.taskId)).toHaveLength(0);
    expect((await approve(dev, approval)).status).toBe(200);
    expect(await ordersOf(dev, approval.taskId)).toMatchObject([
      { idempotencyKey: `${submissionIdOf(dev, approval.taskId)}-2` },
    ]);
  });
});

describe('equal approvals at once', () => {
  test('twenty are one run: one order, one charge, one label, one mail and one text', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const approval = semaglutideFor(patient.id);
    const answers = await atOnce(20, () => approve(dev, approval));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const { body } of answers) expect(body).toEqual(answers[0]!.body);

    expect(await runsOf(dev, approval.taskId)).toHaveLength(1);
    expect(await ordersOf(dev, approval.taskId)).toHaveLength(1);
    expect(await chargesOf(dev, approval.taskId)).toHaveLength(1);
    expect(await shipmentsOf(dev, approval.taskId)).toHaveLength(1);
    expect((await messagesTo(dev, patient)).map(({ channel }) => channel)).toEqual(['email', 'sms']);
    const submissionId = submissionIdOf(dev, approval.taskId);
    const calls = await callsTo(dev, 'pharmacy_a');
    expect(calls.filter(({ headers }) => headers['idempotency-key'] === `${submissionId}-1`)).toHaveLength(1);
  });

  test('of two that differ one wins and the other gets 409, whatever the order', async () => {
    const one = semaglutideFor(patientIn(dev, 'OH'));
    const other = { ...one, medication: 'tirzepatide' };
    const answers = await Promise.all([one, other, one, other].map((approval) => approve(dev, approval)));
    const statuses = answers.map(({ status }) => status);
    expect([
      [200, 409, 200, 409],
      [409, 200, 409, 200],
    ]).toContainEqual(statuses);
    const refused = answers.find(({ status }) => status === 409);
    expect([refused?.status, refused?.body]).toEqual(conflict);
    expect(await ordersOf(dev, one.taskId)).toHaveLength(1);
  });

  test('a client that goes away does not stop the run', async () => {
    const approval = semaglutideFor(patientIn(dev, 'WA'));
    const client = new AbortController();
    const gone = approve(dev, approval, { signal: client.signal });
    await eventually(async () => (await runsOf(dev, approval.taskId)).length > 0);
    client.abort();
    await gone.catch(() => undefined);
    expect(await eventually(() => endedRun(dev, approval.taskId))).toMatchObject({ status: 'completed' });
  });
});

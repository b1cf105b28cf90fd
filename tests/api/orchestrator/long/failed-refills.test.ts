import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@temporalio/client';
import { createSql, type Sql } from '../../../../db/client.js';
import { findSchedule } from '../../../../db/orchestrator/refill-schedules.js';
import { openReroute } from '../../../../db/orchestrator/reroutes.js';
import { closeTerminatedRun } from '../../../../db/orchestrator/runs.js';
import { claimForRun } from '../../../../db/orchestrator/tasks.js';
import { defaultStateDir } from '../../../../dev/dev-json.js';
import { loadSecrets } from '../../../../dev/start/secrets.js';
import { nextRefill } from '../../../../domain/orchestrator/refills.js';
import { keyRing } from '../../../../platform/config-values.js';
import { encryptedDataConverter } from '../../../../platform/temporal/codec.js';
import { refillWorkflowId } from '../../../../workflows/ids.js';
import { taskQueues } from '../../../../workflows/queues.js';
import { openTemporal, type TemporalView } from '../../../helpers/temporal-view.js';
import { adminToken, callAs, eventually, patientIn, shared } from '../../../helpers/client.js';
import { changeInEmr, newPatient, saveCard } from '../../../helpers/patients.js';
import { chargesOf, ordersOf, runsOf } from '../approvals.js';
import { cancel, reroute } from '../exceptions.js';
import { dayFromToday, newSchedule, type Schedule, schedulesAt } from '../refills.js';

const dev = shared();
let sql: Sql;
let temporal: TemporalView;
let client: Client;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 3 });
  temporal = await openTemporal(dev);
  const own = keyRing.parse(loadSecrets(defaultStateDir()).orchestratorCodecKeys);
  const { connection } = temporal.client;
  // The orchestrator's workers take what is sealed with its own keys only.
  client = new Client({ connection, dataConverter: encryptedDataConverter({ own }, 'client') });
});
afterAll(async () => {
  await sql.end();
  await temporal.close();
});

const operate = (id: string, operation: string) =>
  schedulesAt(dev, `/${id}/${operation}`, { method: 'POST' });
const scheduleNow = async (id: string) => (await schedulesAt(dev, `/${id}`)).body.schedule;

/** A schedule that no check of another test tries, because its next fill was moved ahead. */
const newlyMoved = (emrPatientId: string) =>
  newSchedule(dev, { emrPatientId, lastFillDate: dayFromToday(-40), nextFillDate: dayFromToday(3) });
/** Runs the next refill as a check does. */
async function tryRefill({ id }: Schedule) {
  const schedule = await findSchedule(sql, id);
  const refill = nextRefill(schedule!);
  const workflowId = refillWorkflowId(id, refill.n);
  const started = { workflowId, taskQueue: taskQueues.refills, args: [refill] };
  const limit = Date.now() + 60_000;
  return client
    .withDeadline(limit, () => client.workflow.execute('processRefill', started))
    .then(
      () => 'sent',
      () => 'failed',
    );
}

interface OwnItem {
  id: string;
  reason: string;
  state: string;
  answers: string[];
  closedBy: string | null;
  answer: string | null;
  organizationId: string | null;
  hours: number;
  refersTo: Record<string, string>;
}
const itemsOf = ({ id }: Schedule) => sql<OwnItem[]>`
  select id, reason, state, answers, closed_by, answer, organization_id, refers_to,
    (extract(epoch from due_at - opened_at) / 3600)::float8 as hours
  from orchestrator.work_item
  where kind = 'refill_failed' and refers_to ->> 'scheduleId' = ${id} order by opened_at, state
`;
const openedEvents = (id: string) => sql`
  select from orchestrator.outbox where detail_type = 'work_item.opened' and aggregate_id = ${id}
`;

const answer = async (id: string, given: string, data?: object) => {
  const token = await adminToken(dev);
  const path = `/v1/work-items/${id}`;
  await eventually(async () => {
    const { status, body } = await callAs<{ workItem?: { state: string } }>(dev, 'worklist', token, { path });
    return status === 200 && body.workItem?.state === 'open';
  });
  return callAs<{ error: string; message: string }>(dev, 'worklist', token, {
    method: 'POST',
    path: `${path}/answer`,
    body: { answer: given, ...(data && { data }) },
  });
};
const person = expect.stringContaining('@');
/** No pharmacy serves the state. */
const unroutable = () => patientIn(dev, 'CA');
async function failed(emrPatientId: string): Promise<{ schedule: Schedule; item: OwnItem }> {
  const schedule = await newlyMoved(emrPatientId);
  await tryRefill(schedule);
  const [item] = await itemsOf(schedule);
  return { schedule, item: item! };
}

describe('a refill that fails (D116)', () => {
  test('opens one work item, which stays while it fails so, and is closed once the refill is sent', async () => {
    const patient = await newPatient(dev, 'CA');
    await saveCard(dev, patient);
    const schedule = await newlyMoved(patient.id);
    expect(await tryRefill(schedule)).toBe('failed');
    const [item, ...more] = await itemsOf(schedule);
    const taskId = `refill-${schedule.id}`;
    expect([item, more]).toMatchObject([
      {
        reason: 'pharmacy_submission',
        state: 'open',
        answers: ['try_again', 'reroute', 'pause', 'cancel', 'dismiss'],
        organizationId: null,
        refersTo: {
          scheduleId: schedule.id,
          taskId,
          reference: `${taskId}-1`,
          emrPatientId: patient.id,
        },
      },
      [],
    ]);
    expect(item!.hours).toBeCloseTo(24, 3);
    expect(
      await sql`select from orchestrator.work_item where kind = 'approval_failed' and fact = ${`${taskId}-1`}`,
    ).toHaveLength(0);
    await tryRefill(schedule);
    expect((await itemsOf(schedule)).map(({ id, state }) => [id, state])).toEqual([[item!.id, 'open']]);
    expect(await openedEvents(item!.id)).toHaveLength(1);

    await changeInEmr(dev, patient, (record) => void (record.address![0]!.state = 'NY'));
    await tryRefill(schedule);
    expect(await itemsOf(schedule)).toMatchObject([{ state: 'closed', closedBy: 'system', answer: null }]);
    expect(await scheduleNow(schedule.id)).toMatchObject({ refillsSent: 1 });
  });

  test('with another reason, or as another refill, closes the earlier item', async () => {
    const schedule = await newlyMoved('nobody');
    await tryRefill(schedule);
    const dead = await newPatient(dev, 'NY', (complete) => ({ ...complete, deceasedBoolean: true }));
    await sql`update orchestrator.refill_schedule set emr_patient_id = ${dead.id} where id = ${schedule.id}`;
    await tryRefill(schedule);
    const first = { reason: 'patient_details', state: 'closed', closedBy: 'system' };
    expect(await itemsOf(schedule)).toMatchObject([first, { reason: 'patient_deceased', state: 'open' }]);
    await sql`update orchestrator.refill_schedule set refills_sent = 1 where id = ${schedule.id}`;
    await tryRefill(schedule);
    expect(await itemsOf(schedule)).toMatchObject([
      first,
      { reason: 'patient_deceased', state: 'closed', closedBy: 'system' },
      {
        reason: 'patient_deceased',
        state: 'open',
        refersTo: { reference: `refill-${schedule.id}-2`, emrPatientId: dead.id },
      },
    ]);
  });

  test('is not seen again for the same reason once it was dismissed', async () => {
    const schedule = await newlyMoved(unroutable());
    await tryRefill(schedule);
    const [item] = await itemsOf(schedule);
    expect(await answer(item!.id, 'dismiss')).toMatchObject({ status: 200 });
    await tryRefill(schedule);
    expect(await itemsOf(schedule)).toMatchObject([{ state: 'closed', closedBy: person, answer: 'dismiss' }]);
    await sql`update orchestrator.refill_schedule set emr_patient_id = 'nobody' where id = ${schedule.id}`;
    await tryRefill(schedule);
    expect(await itemsOf(schedule)).toMatchObject([{ state: 'closed' }, { reason: 'patient_details' }]);
  });

  test('is seen if its workflow was terminated; a person who cancels the refill is shown none', async () => {
    const claimed = async ({ id }: Schedule) => {
      const runId = randomUUID();
      const taskId = `refill-${id}`;
      const claim = { kind: 'refill', reference: `${taskId}-1`, taskId, runId } as const;
      const what = { detailsHash: '', medication: 'semaglutide', emrPatientId: 'patient-1' };
      await claimForRun(sql, { ...claim, workflowId: `test:${runId}`, ...what }, []);
      return { ...claim };
    };
    const ended = await newlyMoved(unroutable());
    const { runId } = await claimed(ended);
    await closeTerminatedRun(sql, runId, null, { today: dayFromToday(0), timeZone: 'UTC' });
    expect(await itemsOf(ended)).toMatchObject([{ reason: 'terminated', state: 'open' }]);

    const cancelled = await newlyMoved(unroutable());
    const run = await claimed(cancelled);
    await sql`
      update orchestrator.task set changing = 'cancellation', changing_since = now() where task_id = ${run.reference}
    `;
    await closeTerminatedRun(sql, run.runId, null, { today: dayFromToday(0), timeZone: 'UTC' });
    expect(await itemsOf(cancelled)).toEqual([]);
  });

  test('is tried again: not while it runs or too soon, else it is sent and closed by that person', async () => {
    const patient = await newPatient(dev, 'CA');
    await saveCard(dev, patient);
    const { schedule, item } = await failed(patient.id);
    const again = await answer(item.id, 'try_again');
    expect([again.status, again.body.error, again.body.message]).toEqual([
      409,
      'conflict',
      'pharmacy_submission: No pharmacy route configured for state: CA',
    ]);
    expect(await itemsOf(schedule)).toMatchObject([{ id: item.id, state: 'open' }]);

    const reference = `refill-${schedule.id}-1`;
    await sql`update orchestrator.task set state = 'running' where task_id = ${reference}`;
    expect((await answer(item.id, 'try_again')).body.message).toBe('A refill is under way');
    await sql`update orchestrator.task set state = 'failed' where task_id = ${reference}`;

    const today = dayFromToday(0);
    await sql`update orchestrator.refill_schedule set last_fill_date = ${today} where id = ${schedule.id}`;
    expect((await answer(item.id, 'try_again')).body.message).toBe(`Too soon before ${dayFromToday(18)}`);
    await sql`
      update orchestrator.refill_schedule set last_fill_date = ${dayFromToday(-18)} where id = ${schedule.id}
    `;

    await changeInEmr(dev, patient, (record) => void (record.address![0]!.state = 'NY'));
    expect(await answer(item.id, 'try_again')).toMatchObject({ status: 200 });
    expect(await itemsOf(schedule)).toMatchObject([
      { state: 'closed', closedBy: person, answer: 'try_again' },
    ]);
    expect(await ordersOf(dev, reference)).toHaveLength(1);
    expect(await chargesOf(dev, reference)).toHaveLength(1);
    expect(await scheduleNow(schedule.id)).toMatchObject({ refillsSent: 1, lastFillDate: today });
  });

  test('for want of a route is ordered at the pharmacy that a person names, and counts', async () => {
    const patient = await newPatient(dev, 'CA');
    await saveCard(dev, patient);
    const { schedule, item } = await failed(patient.id);
    expect(await answer(item.id, 'reroute', { pharmacy: 'pharmacy_b' })).toMatchObject({ status: 200 });
    expect(await itemsOf(schedule)).toMatchObject([{ state: 'closed', closedBy: person, answer: 'reroute' }]);
    const reference = `refill-${schedule.id}-1`;
    expect(await ordersOf(dev, `${reference}#2`)).toMatchObject([{ pharmacy: 'pharmacy_b' }]);
    expect(await ordersOf(dev, reference)).toEqual([]);
    expect(await chargesOf(dev, reference)).toHaveLength(1);
    expect(await scheduleNow(schedule.id)).toMatchObject({
      refillsSent: 1,
      lastFillDate: dayFromToday(0),
      nextFillDate: dayFromToday(27),
    });
    const runs = await runsOf(dev, `refill-${schedule.id}`);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'failed']);
    const repeated = await reroute(dev, { taskId: `refill-${schedule.id}`, pharmacy: 'pharmacy_b' });
    expect([repeated.status, repeated.body.reference]).toEqual([200, `${reference}#2`]);
    // It can be taken back like any other.
    const { status, body } = await cancel(dev, { taskId: `refill-${schedule.id}`, reason: 'Not needed.' });
    expect([status, body.cancellation]).toMatchObject([200, { state: 'approved', refundedCents: 29_900 }]);
  });

  test('before step 4 has no order to move', async () => {
    const { schedule, item } = await failed('nobody');
    const { status, body } = await answer(item.id, 'reroute', { pharmacy: 'pharmacy_b' });
    expect([status, body.error, body.message]).toEqual([409, 'conflict', 'There is no order to move']);
    expect(await itemsOf(schedule)).toMatchObject([{ state: 'open' }]);

    // A run that begins late finds the item closed by the answer.
    const askedAt = new Date().toISOString();
    await sql`
      update orchestrator.work_item set
        state = 'closed', answer = 'reroute', closed_by = 'kim@example.test', closed_at = now()
      where id = ${item.id}
    `;
    const reference = `refill-${schedule.id}-1`;
    const asked = { reference, pharmacy: 'pharmacy_b', requestedBy: 'key' } as const;
    const { state } = await openReroute(sql, { ...asked, askedAt }, dayFromToday(0));
    expect(state).toBe('refused');
    expect(await itemsOf(schedule)).toMatchObject([{ state: 'open' }]);
  });

  test('is not ordered elsewhere after its schedule was cancelled', async () => {
    const { schedule } = await failed(unroutable());
    await operate(schedule.id, 'cancel');
    const taskId = `refill-${schedule.id}`;
    const { body } = await reroute(dev, { taskId, pharmacy: 'pharmacy_b' });
    expect([body, (await runsOf(dev, taskId)).length]).toEqual([{ error: 'Schedule is cancelled' }, 1]);
  });

  test.each([
    ['pause', 'paused'],
    ['cancel', 'cancelled'],
  ])('ends with its schedule: %s', async (given, status) => {
    const asked = await failed(unroutable());
    expect(await answer(asked.item.id, given)).toMatchObject({ status: 200 });
    expect(await scheduleNow(asked.schedule.id)).toMatchObject({ status });
    expect(await itemsOf(asked.schedule)).toMatchObject([
      { state: 'closed', closedBy: person, answer: given },
    ]);

    const other = await failed(unroutable());
    await operate(other.schedule.id, given);
    expect(await itemsOf(other.schedule)).toMatchObject([{ state: 'closed', closedBy: 'system' }]);
  });
});

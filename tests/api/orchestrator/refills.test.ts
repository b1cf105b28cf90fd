import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, call, eventually, freshTask, patientIn, shared } from '../../helpers/client.js';
import {
  allSteps,
  approve,
  chargesOf,
  messagesTo,
  ordersOf,
  runsOf,
  semaglutideFor,
  shipmentsOf,
  submissionIdOf,
} from './approvals.js';
import { newPatient, saveCard } from '../../helpers/patients.js';
import { checkRefills, dayFromToday, newSchedule, type Schedule, schedulesAt } from './refills.js';

const dev = shared();
const [today, yesterday, tomorrow] = [dayFromToday(0), dayFromToday(-1), dayFromToday(1)];

let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

const ofPatient = async (id: string) => (await schedulesAt(dev, `?emrPatientId=${id}`)).body.schedules;
const scheduleNow = async ({ id }: Schedule) => (await schedulesAt(dev, `/${id}`)).body.schedule;
const operate = (id: string, operation: string) =>
  schedulesAt(dev, `/${id}/${operation}`, { method: 'POST' });

/** A check's results for these schedules; it has more if others are due. */
async function checked(...schedules: Schedule[]) {
  const { status, body } = await checkRefills(dev);
  expect([status, body.processed]).toEqual([200, body.results.length]);
  return schedules.map(({ id }) => body.results.find(({ scheduleId }) => scheduleId === id));
}

describe('POST /orchestrator/refill-check', () => {
  test('200: a due refill runs all seven steps under its number, and the schedule moves on', async () => {
    const patient = await newPatient(dev, 'NY');
    await saveCard(dev, patient);
    const schedule = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: yesterday });
    expect(await checked(schedule)).toEqual([
      { scheduleId: schedule.id, emrPatientId: patient.id, medication: 'semaglutide', processed: true },
    ]);
    const task = `refill-${schedule.id}`;
    expect(await runsOf(dev, task)).toMatchObject([
      {
        taskId: task,
        status: 'completed',
        completedSteps: allSteps,
        warnings: [],
        medication: 'semaglutide',
        result: { success: true, submissionId: submissionIdOf(dev, `${task}-1`) },
      },
    ]);
    expect(await ordersOf(dev, `${task}-1`)).toHaveLength(1);
    expect(await chargesOf(dev, `${task}-1`)).toMatchObject([
      { amountCents: 29_900, metadata: { charge_key: `charge:${task}-1:1` } },
    ]);
    expect(await shipmentsOf(dev, `${task}-1`)).toHaveLength(1);
    expect(await messagesTo(dev, patient)).toHaveLength(2);
    expect(await scheduleNow(schedule)).toMatchObject({
      status: 'active',
      refillsSent: 1,
      lastFillDate: today,
      nextFillDate: dayFromToday(27),
    });
    // Not due any more.
    expect(await checked(schedule)).toEqual([undefined]);
    expect(await ofPatient(patient.id)).toHaveLength(1);
  });

  test.each([1, 2, 3])(
    '200: a supply of %d days is filled once a day, however often it is checked',
    async (daysSupply) => {
      const patient = await newPatient(dev, 'NY');
      await saveCard(dev, patient);
      const supply = { emrPatientId: patient.id, totalRefillsAllowed: 5, daysSupply };
      // Byte for byte: the day of its making counts as a fill.
      const fresh = await newSchedule(dev, supply);
      const due = await newSchedule(dev, { ...supply, nextFillDate: dayFromToday(-9) });
      expect([fresh.nextFillDate, due.nextFillDate]).toEqual([tomorrow, dayFromToday(-9)]);
      expect(await checked(fresh, due)).toMatchObject([undefined, { processed: true }]);
      for (const _ of [2, 3]) expect(await checked(fresh, due)).toEqual([undefined, undefined]);
      expect(await scheduleNow(due)).toMatchObject({
        refillsSent: 1,
        lastFillDate: today,
        nextFillDate: tomorrow,
      });
      expect(await chargesOf(dev, `refill-${due.id}-1`)).toHaveLength(1);
      expect(await ordersOf(dev, `refill-${due.id}-2`)).toEqual([]);
      for (const { id } of [fresh, due]) await operate(id, 'cancel');
    },
  );

  test('200: the last refill completes its schedule, the next one goes out under the next number', async () => {
    const patient = await newPatient(dev, 'TX');
    const schedule = await newSchedule(dev, {
      emrPatientId: patient.id,
      totalRefillsAllowed: 2,
      nextFillDate: today,
    });
    await checked(schedule);
    await sql`update orchestrator.refill_schedule set next_fill_date = ${today} where id = ${schedule.id}`;
    expect(await checked(schedule)).toMatchObject([{ processed: true }]);
    expect(await scheduleNow(schedule)).toMatchObject({ status: 'completed', refillsSent: 2 });
    for (const n of [1, 2]) expect(await ordersOf(dev, `refill-${schedule.id}-${n}`)).toHaveLength(1);
    expect(await runsOf(dev, `refill-${schedule.id}`)).toHaveLength(2);
    await sql`update orchestrator.refill_schedule set next_fill_date = ${today} where id = ${schedule.id}`;
    expect(await checked(schedule)).toEqual([undefined]);
  });

  test('200 with the failed step for a refill that fails; its schedule stays, and the next check tries it again', async () => {
    const before = await newSchedule(dev, { emrPatientId: 'nobody', nextFillDate: today });
    expect(await checked(before)).toMatchObject([{ processed: false, reason: 'patient_details' }]);
    expect(await scheduleNow(before)).toEqual(before);
    const items = () => sql`
      select reason, state from orchestrator.work_item
      where kind = 'refill_failed' and refers_to ->> 'scheduleId' = ${before.id}
    `;
    expect(await items()).toEqual([{ reason: 'patient_details', state: 'open' }]);
    const known = patientIn(dev, 'WA');
    await sql`update orchestrator.refill_schedule set emr_patient_id = ${known} where id = ${before.id}`;
    // A check of another test may send it.
    await checked(before);
    await eventually(async () => (await scheduleNow(before)).refillsSent === 1);
    expect(await items()).toEqual([{ reason: 'patient_details', state: 'closed' }]);
    const runs = await runsOf(dev, `refill-${before.id}`);
    expect(runs.map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(await ordersOf(dev, `refill-${before.id}-1`)).toHaveLength(1);
  });

  test('200 with warnings in the run where the payment fails: the refill is sent and counted', async () => {
    const schedule = await newSchedule(dev, {
      emrPatientId: patientIn(dev, 'OH', null),
      nextFillDate: today,
    });
    expect(await checked(schedule)).toMatchObject([{ processed: true }]);
    expect(await runsOf(dev, `refill-${schedule.id}`)).toMatchObject([{ warnings: ['payment_failed'] }]);
    expect(await scheduleNow(schedule)).toMatchObject({ refillsSent: 1 });
  });

  test('200 with max_refills_reached for an active schedule that is used up', async () => {
    const schedule = await newSchedule(dev, {
      emrPatientId: patientIn(dev, 'WA'),
      totalRefillsAllowed: 1,
      refillsSent: 1,
      nextFillDate: today,
    });
    expect(await checked(schedule)).toMatchObject([{ processed: false, reason: 'max_refills_reached' }]);
    expect(await runsOf(dev, `refill-${schedule.id}`)).toEqual([]);
    await operate(schedule.id, 'cancel');
  });

  test('200: what is not due, paused, cancelled or completed is not in the results', async () => {
    const emrPatientId = patientIn(dev, 'WA');
    const due = { emrPatientId, nextFillDate: today };
    const [later, paused, cancelled] = [
      await newSchedule(dev, { emrPatientId, nextFillDate: tomorrow }),
      await newSchedule(dev, due),
      await newSchedule(dev, due),
    ];
    await operate(paused.id, 'pause');
    await operate(cancelled.id, 'cancel');
    expect(await checked(later, paused, cancelled)).toEqual([undefined, undefined, undefined]);
  });

  test('200 for each of three checks at once: every refill is sent and charged once, the others say so', async () => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const schedules = await Promise.all(
      Array.from({ length: 5 }, () => newSchedule(dev, { emrPatientId: patient.id, nextFillDate: today })),
    );
    const answers = await Promise.all([checkRefills(dev), checkRefills(dev), checkRefills(dev)]);
    for (const { id } of schedules) {
      const entries = answers.flatMap(({ body }) =>
        body.results.filter(({ scheduleId }) => scheduleId === id),
      );
      expect(entries.filter(({ processed }) => processed)).toHaveLength(1);
      for (const { processed, reason } of entries)
        if (!processed) expect(['already_running', 'not_due']).toContain(reason);
      expect(await ordersOf(dev, `refill-${id}-1`)).toHaveLength(1);
      expect(await chargesOf(dev, `refill-${id}-1`)).toHaveLength(1);
    }
  });

  test.each([undefined, {}, ''])('200 whatever the body, here %j', async (body) => {
    const path = '/orchestrator/refill-check';
    expect((await call(dev, 'orchestrator', { method: 'POST', path, body })).status).toBe(200);
  });
});

describe('GET /orchestrator/status/refill-<scheduleId>', () => {
  test("200 with the runs of the schedule's refills, newest first", async () => {
    const schedule = await newSchedule(dev, { emrPatientId: 'nobody', nextFillDate: today });
    await checked(schedule);
    await sql`
      update orchestrator.refill_schedule set emr_patient_id = ${patientIn(dev, 'WA')} where id = ${schedule.id}
    `;
    const taskId = `refill-${schedule.id}`;
    // A check of another test may still fail for the former patient.
    const { status, body } = await eventually(async () => {
      await checked(schedule);
      const path = `/orchestrator/status/${taskId}`;
      const answer = await call<{ runs: { status: string }[] }>(dev, 'orchestrator', { path });
      return answer.body.runs[0]?.status === 'completed' && answer;
    });
    const untouched = { cancellation: null, replacements: [] };
    const run = { id: expect.any(String), taskId, medication: 'semaglutide', warnings: [], ...untouched };
    const stamps = { createdAt: expect.any(String), updatedAt: expect.any(String) };
    expect([status, { ...body, runs: [body.runs[0], body.runs.at(-1)] }]).toEqual([
      200,
      {
        taskId,
        runs: [
          {
            ...run,
            emrPatientId: patientIn(dev, 'WA'),
            status: 'completed',
            completedSteps: allSteps,
            failedStep: null,
            error: null,
            result: expect.objectContaining({
              success: true,
              submissionId: submissionIdOf(dev, `${taskId}-1`),
            }),
            ...stamps,
          },
          {
            ...run,
            emrPatientId: 'nobody',
            status: 'failed',
            completedSteps: ['medication_config'],
            failedStep: 'patient_details',
            error: 'Patient not found in EMR: nobody',
            result: expect.objectContaining({ success: false, failedStep: 'patient_details' }),
            ...stamps,
          },
        ],
      },
    ]);
  });
});

describe('schedules made by approvals (D40)', () => {
  test('a completed approval makes one: filled today, due 27 days later, with the dosage and refills approved', async () => {
    const patient = await newPatient(dev, 'WA');
    const approval = { ...semaglutideFor(patient.id), dosage: 'half as much' };
    await approve(dev, approval);
    await approve(dev, approval);
    expect(await ofPatient(patient.id)).toMatchObject([
      {
        emrPatientId: patient.id,
        medication: 'semaglutide',
        dosage: 'half as much',
        status: 'active',
        totalRefillsAllowed: 3,
        refillsSent: 0,
        daysSupply: 30,
        lastFillDate: today,
        nextFillDate: dayFromToday(27),
      },
    ]);
  });

  test('a failed approval makes none', async () => {
    const patient = await newPatient(dev, 'CA');
    expect((await approve(dev, semaglutideFor(patient.id))).status).toBe(500);
    expect(await ofPatient(patient.id)).toEqual([]);
  });

  test('it cancels the active one of an earlier approval for the same medication, and no other', async () => {
    const patient = await newPatient(dev, 'WA');
    const byHand = await newSchedule(dev, { emrPatientId: patient.id, nextFillDate: tomorrow });
    await approve(dev, semaglutideFor(patient.id));
    await approve(dev, { ...semaglutideFor(patient.id), medication: 'nad' });
    await approve(dev, semaglutideFor(patient.id));
    const schedules = await ofPatient(patient.id);
    expect(schedules.map(({ medication, status }) => `${medication} ${status}`)).toEqual([
      'semaglutide active',
      'nad active',
      'semaglutide cancelled',
      'semaglutide active',
    ]);
    expect(schedules.at(-1)?.id).toBe(byHand.id);
  });

  test('of ten approvals for one patient and medication at once one leaves an active schedule', async () => {
    const patient = await newPatient(dev, 'WA');
    const approvals = Array.from({ length: 10 }, () => semaglutideFor(patient.id));
    await Promise.all(approvals.map((approval) => approve(dev, approval)));
    const schedules = await ofPatient(patient.id);
    expect(schedules).toHaveLength(10);
    expect(schedules.filter(({ status }) => status === 'active')).toHaveLength(1);
  });

  test('a denial of its task touches no schedule', async () => {
    const patient = await newPatient(dev, 'WA');
    await approve(dev, semaglutideFor(patient.id));
    const denial = { taskId: freshTask(), emrPatientId: patient.id };
    await call(dev, 'orchestrator', { method: 'POST', path: '/orchestrator/deny', body: denial });
    expect(await ofPatient(patient.id)).toMatchObject([{ status: 'active' }]);
  });
});

describe('POST /orchestrator/refill-schedules', () => {
  test('201 with what the page fills in', async () => {
    const emrPatientId = randomUUID();
    const body = { emrPatientId, medication: 'nad', totalRefillsAllowed: 2 };
    const answer = await schedulesAt(dev, '', { method: 'POST', body });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        schedule: {
          id: expect.any(String),
          ...body,
          dosage: null,
          status: 'active',
          pausedReason: null,
          refillsSent: 0,
          daysSupply: 30,
          lastFillDate: today,
          nextFillDate: dayFromToday(27),
          quantity: 5,
          earliestFillDate: dayFromToday(18),
          skipped: 0,
          shipTo: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      },
    ]);
  });

  test('201 for several of one patient, each with the dates given', async () => {
    const emrPatientId = randomUUID();
    const dated = await newSchedule(dev, { emrPatientId, daysSupply: 28, lastFillDate: '2024-02-01' });
    expect(dated).toMatchObject({ lastFillDate: '2024-02-01', nextFillDate: '2024-02-26' });
    await operate(dated.id, 'cancel');
    const given = { refillsSent: 1, lastFillDate: '2024-02-29', nextFillDate: '2999-12-31' };
    expect(await newSchedule(dev, { emrPatientId, ...given })).toMatchObject(given);
    expect(await ofPatient(emrPatientId)).toHaveLength(2);
  });

  test.each<[string, Record<string, unknown>]>([
    ['medication', { medication: 'aspirin' }],
    ['medication', { medication: 'constructor' }],
    ['nextFillDate', { nextFillDate: null }],
  ])('400 on %s: %j', async (field, change) => {
    const body = { emrPatientId: 'p1', medication: 'nad', totalRefillsAllowed: 2, ...change };
    const answer = await schedulesAt(dev, '', { method: 'POST', body });
    expect([answer.status, answer.body.error]).toEqual([400, 'Validation failed']);
    expect(answer.body.details.map(({ path }) => path)).toEqual([field]);
  });
});

describe('GET /orchestrator/refill-schedules', () => {
  test('200 with all of a patient, newest first, by pages that miss and repeat none', async () => {
    const emrPatientId = randomUUID();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1)
      made.unshift((await newSchedule(dev, { emrPatientId, nextFillDate: tomorrow })).id);
    const seen: string[] = [];
    let cursor = '';
    const sizes: number[] = [];
    do {
      const { body } = await schedulesAt(
        dev,
        `?emrPatientId=${emrPatientId}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...body.schedules.map(({ id }) => id));
      sizes.push(body.schedules.length);
      cursor = body.nextCursor ?? '';
    } while (cursor !== '');
    expect([seen, sizes]).toEqual([made, [2, 2, 1]]);
  });

  test('200 with fifty where no limit is given, and with up to 200', async () => {
    const emrPatientId = randomUUID();
    await sql`
      insert into orchestrator.refill_schedule
        (emr_patient_id, medication, status, total_refills_allowed, last_fill_date, next_fill_date)
      select ${emrPatientId}, 'nad', 'cancelled', 1, ${today}, ${today} from generate_series(1, 51)
    `;
    const { body: first } = await schedulesAt(dev, `?emrPatientId=${emrPatientId}`);
    expect([first.schedules.length, first.nextCursor]).toEqual([50, expect.any(String)]);
    const { body: whole } = await schedulesAt(dev, `?emrPatientId=${emrPatientId}&limit=200`);
    expect([whole.schedules.length, whole.nextCursor]).toEqual([51, null]);
  });

  test('200 with those in one state', async () => {
    const emrPatientId = randomUUID();
    const [kept, paused] = [
      await newSchedule(dev, { emrPatientId, nextFillDate: tomorrow }),
      await newSchedule(dev, { emrPatientId, nextFillDate: tomorrow }),
    ];
    await operate(paused.id, 'pause');
    const idsIn = async (status: string) =>
      (await schedulesAt(dev, `?emrPatientId=${emrPatientId}&status=${status}`)).body.schedules.map(
        ({ id }) => id,
      );
    expect([await idsIn('active'), await idsIn('paused'), await idsIn('cancelled')]).toEqual([
      [kept.id],
      [paused.id],
      [],
    ]);
  });

  test.each([
    '?status=sleeping',
    '?limit=0',
    '?limit=201',
    '?limit=x',
    '?limit=-1',
    '?cursor=%00',
    '?cursor=abc',
    '?emrPatientId=a%20b',
  ])('400: %s', async (query) => {
    expect((await schedulesAt(dev, query)).status).toBe(400);
  });
});

describe('GET /orchestrator/refill-schedules/:id', () => {
  test('200 with the schedule', async () => {
    const schedule = await newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow });
    const { status, body } = await schedulesAt(dev, `/${schedule.id}`);
    expect([status, body]).toEqual([200, { schedule }]);
  });

  test.each([randomUUID(), 'no-uuid', 'x%2Fy'])('404 for %s', async (id) => {
    const { status, body } = await schedulesAt(dev, `/${id}`);
    expect([status, body]).toEqual([404, { error: 'Refill schedule not found' }]);
  });
});

describe('POST /orchestrator/refill-schedules/:id/pause, resume and cancel', () => {
  test('200: pause and resume of one due in the future keep its date', async () => {
    const schedule = await newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow });
    const paused = await operate(schedule.id, 'pause');
    expect([paused.status, paused.body.schedule]).toMatchObject([
      200,
      { status: 'paused', pausedReason: 'asked', nextFillDate: tomorrow },
    ]);
    expect((await operate(schedule.id, 'resume')).body.schedule).toMatchObject({
      status: 'active',
      pausedReason: null,
      nextFillDate: tomorrow,
      lastFillDate: schedule.lastFillDate,
    });
  });

  test('200: resume of one whose day has passed makes it due today', async () => {
    const emrPatientId = patientIn(dev, 'WA');
    const schedule = await newSchedule(dev, { emrPatientId, nextFillDate: '2024-01-31' });
    expect((await operate(schedule.id, 'pause')).body.schedule.nextFillDate).toBe('2024-01-31');
    expect((await operate(schedule.id, 'resume')).body.schedule.nextFillDate).toBe(today);
    await operate(schedule.id, 'cancel');
  });

  test.each([[[]], [['pause']]])('200: cancel of one after %j', async (before) => {
    const schedule = await newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow });
    for (const operation of before) await operate(schedule.id, operation);
    const { status, body } = await operate(schedule.id, 'cancel');
    expect([status, body.schedule.status]).toEqual([200, 'cancelled']);
  });

  test.each([
    ['resume', [], 'active'],
    ['pause', ['pause'], 'paused'],
    ['pause', ['cancel'], 'cancelled'],
    ['resume', ['cancel'], 'cancelled'],
    ['cancel', ['cancel'], 'cancelled'],
  ])('409: %s after %j', async (operation, before, state) => {
    const schedule = await newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow });
    for (const earlier of before) await operate(schedule.id, earlier);
    const { status, body } = await operate(schedule.id, operation);
    expect([status, body]).toEqual([409, { error: `Schedule is ${state}` }]);
  });

  test.each(['pause', 'resume', 'cancel'])('409: %s of one that is completed', async (operation) => {
    const { id } = await newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow });
    await sql`update orchestrator.refill_schedule set status = 'completed' where id = ${id}`;
    const { status, body } = await operate(id, operation);
    expect([status, body]).toEqual([409, { error: 'Schedule is completed' }]);
  });

  test.each(['pause', 'resume', 'cancel'])('404: %s of an unknown one', async (operation) => {
    for (const id of [randomUUID(), 'no-uuid']) expect((await operate(id, operation)).status).toBe(404);
  });

  test('of twenty pauses at once one is done', async () => {
    const { id } = await newSchedule(dev, { emrPatientId: randomUUID(), nextFillDate: tomorrow });
    const answers = await atOnce(20, () => operate(id, 'pause'));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });
});

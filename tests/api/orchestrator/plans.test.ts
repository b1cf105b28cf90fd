import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { atOnce, eventually, freshTask, shared } from '../../helpers/client.js';
import { approve, chargesOf, ordersOf } from './approvals.js';
import { cancel } from './exceptions.js';
import {
  asks,
  bodyOf,
  checkPlan as check,
  ladder,
  newPlan as make,
  payingPatient,
  planNow as now,
  plansAt as at,
  runningPlan as running,
} from './plans.js';
import { dayFromToday, newSchedule, schedulesAt } from './refills.js';

const dev = shared();
const today = dayFromToday(0);
let sql: Sql;
beforeAll(() => void (sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 })));
afterAll(() => sql.end());

describe('POST /orchestrator/plans', () => {
  test('201: a plan is a refill schedule with the directions of its next phase', async () => {
    const plan = await make({ startDate: dayFromToday(3) });
    expect(plan).toMatchObject({
      state: 'active',
      phase: 1,
      fill: 1,
      fillsSent: 0,
      nextFillDate: dayFromToday(3),
      waitingFor: [],
      stoppedBecause: null,
    });
    expect((await schedulesAt(dev, `/${plan.id}`)).body.schedule).toMatchObject({
      totalRefillsAllowed: 4,
      dosage: 'inject 10 units weekly',
      daysSupply: 30,
      nextFillDate: dayFromToday(3),
    });
  });

  test('201: the first fill of a plan that starts today is sent at once, and charged once', async () => {
    const emrPatientId = await payingPatient();
    const plan = await make({ emrPatientId });
    const sent = await eventually(async () => {
      const plans = await now(plan);
      return plans.fillsSent === 1 && plans;
    });
    expect(sent).toMatchObject({ fill: 2, phase: 1, nextFillDate: dayFromToday(27) });
    const reference = `refill-${plan.id}-1`;
    expect([(await ordersOf(dev, reference)).length, (await chargesOf(dev, reference)).length]).toEqual([
      1, 1,
    ]);
  });

  test('200 for the same reference and body, 409 for another body, one plan of ten at once', async () => {
    const body = bodyOf({ startDate: dayFromToday(3) });
    const answers = await atOnce(10, () => at('', body));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(9).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.plan.id)).size).toBe(1);
    const other = await at('', { ...body, treatment: 'other' });
    expect([other.status, other.body.error]).toEqual([409, 'planRef already used with a different plan']);
  });

  test('409 while the patient has an open plan for the treatment', async () => {
    const emrPatientId = randomUUID();
    const plan = await make({ emrPatientId, startDate: dayFromToday(3) });
    const second = await at('', bodyOf({ emrPatientId }));
    expect([second.status, second.body]).toEqual([
      409,
      { error: 'The patient has an open plan for this treatment', planId: plan.id },
    ]);
    expect((await at(`/${plan.id}/stop`, { reason: 'Moved' })).body.plan).toMatchObject({
      state: 'stopped',
      stoppedBecause: 'Moved',
      fill: null,
    });
    expect((await at('', bodyOf({ emrPatientId, startDate: dayFromToday(3) }))).status).toBe(201);
  });

  test.each([
    [{ phases: [{ medication: 'placebo', fills: 1 }] }, 'phases.0.medication'],
    [{ startDate: dayFromToday(-1) }, 'startDate'],
    [{ prescribedUntil: dayFromToday(-1) }, 'prescribedUntil'],
    [{ running: { phase: 3, sent: 1, lastFillDate: today } }, 'running.phase'],
    [{ running: { phase: 2, sent: 2, lastFillDate: today } }, 'running.sent'],
    [{ running: { phase: 1, sent: 1, lastFillDate: dayFromToday(1) } }, 'running.lastFillDate'],
    [{ treatment: 'Weight' }, 'treatment'],
    [{ phases: [] }, 'phases'],
  ])('400 for %j', async (fields, path) => {
    const { status, body } = await at('', bodyOf(fields));
    expect([status, body.details.map(({ path }) => path)]).toEqual([400, [path]]);
  });

  test('a plan ends the schedules of approvals, and a later approval makes none', async () => {
    const emrPatientId = await payingPatient();
    const order = { medication: 'semaglutide', emrPatientId };
    expect((await approve(dev, { taskId: freshTask(), ...order })).status).toBe(200);
    const plan = await make({ emrPatientId, startDate: dayFromToday(3) });
    expect((await approve(dev, { taskId: freshTask(), ...order })).status).toBe(200);
    const { schedules } = (await schedulesAt(dev, `?emrPatientId=${emrPatientId}`)).body;
    expect(schedules.map(({ id, status }) => [id === plan.id, status]).toSorted()).toEqual([
      [false, 'cancelled'],
      [true, 'active'],
    ]);
  });
});

describe('a gate', () => {
  test('is asked by the first check from ten days before the fill', async () => {
    const [near, far] = [await running({}, 10), await running({}, 11)];
    expect([asks(near), await check(near), await check(far)]).toEqual([[], [], []]);
    expect([asks(await now(near)), (await now(near)).state]).toEqual([['check_in:fill'], 'waiting']);
    expect([asks(await now(far)), (await now(far)).state]).toEqual([[], 'active']);
  });

  test('skips a due fill with reason gate, and sends it once the answer opens it', async () => {
    const emrPatientId = await payingPatient();
    const plan = await running({ emrPatientId });
    expect([asks(plan), await check(plan)]).toEqual([['check_in:fill'], ['gate']]);
    const answers = '{"weight": 81.50, "nausea":  false}';
    const { status, body } = await at(`/${plan.id}/check-ins`, {
      answers: JSON.parse(answers) as unknown,
    });
    expect([status, body.plan.waitingFor]).toEqual([201, []]);
    const sent = await eventually(async () => {
      const plans = await now(plan);
      return plans.fillsSent === 2 && plans;
    });
    expect(sent).toMatchObject({ phase: 2, fill: 3 });
    expect((await chargesOf(dev, `refill-${plan.id}-2`)).length).toBe(1);
    expect((await schedulesAt(dev, `/${plan.id}`)).body.schedule.dosage).toBe('inject 20 units weekly');
    const read = await at(`/${plan.id}/check-ins/${body.checkIn.id}`);
    expect(read.body.checkIn.answers).toEqual(JSON.parse(answers));
  });

  test('waits for a decision after a flag; two decisions at once are one', async () => {
    const plan = await running({}, 5);
    await check(plan);
    await at(`/${plan.id}/check-ins`, { answers: {}, flagged: true });
    expect(asks(await now(plan))).toEqual(['decision:flagged']);
    const decision = { phase: 1, by: 'Dr. Hart', reason: 'Stay' };
    const answers = await atOnce(2, () => at(`/${plan.id}/decisions`, decision));
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    const { decisions, plan: decided } = (await at(`/${plan.id}`)).body;
    expect([decisions.length, asks(decided), decided.state]).toEqual([1, [], 'active']);
    const other = await at(`/${plan.id}/decisions`, { ...decision, phase: 2 });
    expect([other.status, other.body.error]).toEqual([409, 'Nothing to decide']);
    const wrong = await at(`/${plan.id}/decisions`, { ...decision, fill: 9 });
    expect([wrong.status, wrong.body]).toEqual([409, { error: 'Another fill is asked for', fill: 2 }]);
  });

  test('never lets a fill out while a flag and the daily check meet', async () => {
    const plans = await Promise.all(
      Array.from({ length: 5 }, () => running({ phases: [{ ...ladder[1], fills: 3 }] }, 1)),
    );
    await sql`
      update orchestrator.refill_schedule set next_fill_date = ${today} where id = any(${plans.map(({ id }) => id)})
    `;
    await Promise.all(
      plans.map(async (plan) => {
        const [checked, flagged] = await Promise.all([
          check(plan),
          at(`/${plan.id}/check-ins`, { answers: {}, flagged: true }),
        ]);
        expect(flagged.status).toBe(201);
        const runs = await sql`select from orchestrator.task where task_id = ${`refill-${plan.id}-2`}`;
        // Either the fill was claimed before the flag, or the flag holds it.
        expect(runs.length === 0 ? checked[0] : 'claimed').toMatch(/gate|not_due|claimed/);
      }),
    );
  });

  test('409 for a check-in more than 14 days ahead, and for one of another fill', async () => {
    const plan = await running({}, 15);
    const early = await at(`/${plan.id}/check-ins`, { answers: {} });
    expect([early.status, early.body]).toEqual([409, { error: 'Too early', from: dayFromToday(1) }]);
    const other = await at(`/${plan.id}/check-ins`, { answers: {}, fill: 7 });
    expect([other.status, other.body]).toEqual([409, { error: 'Another fill is asked for', fill: 2 }]);
  });

  test('201 for a check-in that was asked for before its fill was moved away', async () => {
    const plan = await running({}, 15);
    await sql`update orchestrator.plan set asked_fill = 2 where id = ${plan.id}`;
    expect((await at(`/${plan.id}/check-ins`, { answers: {} })).status).toBe(201);
  });

  test('days on hand move the fill to a later day, never to an earlier one', async () => {
    const plan = await running({}, 5);
    const { body } = await at(`/${plan.id}/check-ins`, { answers: {}, daysOnHand: 20 });
    expect(body.plan.nextFillDate).toBe(dayFromToday(17));
    const second = await running({}, 5);
    const kept = await at(`/${second.id}/check-ins`, { answers: {}, daysOnHand: 2 });
    expect(kept.body.plan.nextFillDate).toBe(dayFromToday(5));
  });

  test('asks for a renewal after the prescription has ended', async () => {
    const plan = await running({ prescribedUntil: today, phases: [{ ...ladder[1], fills: 3 }] }, 5);
    await check(plan);
    expect(asks(await now(plan))).toEqual(['renewal:renewal']);
    const early = await at(`/${plan.id}/renew`, { prescribedUntil: dayFromToday(4), by: 'Dr. Hart' });
    expect([early.status, early.body.details.map(({ path }) => path)]).toEqual([400, ['prescribedUntil']]);
    const renewed = await at(`/${plan.id}/renew`, { prescribedUntil: dayFromToday(90), by: 'Dr. Hart' });
    expect([renewed.status, asks(renewed.body.plan)]).toEqual([200, []]);
  });

  test('stays closed through a pause and a resume', async () => {
    const plan = await running();
    expect((await at(`/${plan.id}/pause`, undefined, 'POST')).body.plan.state).toBe('paused');
    expect((await at(`/${plan.id}/pause`, undefined, 'POST')).body.error).toBe('Plan is paused');
    const { body } = await at(`/${plan.id}/resume`, undefined, 'POST');
    expect([body.plan.state, asks(body.plan)]).toEqual(['waiting', ['check_in:fill']]);
  });

  test('a cancelled fill gives its place back, and a decision is asked for the next', async () => {
    const plan = await make({ emrPatientId: await payingPatient() });
    await eventually(async () => (await now(plan)).fillsSent === 1);
    const date = (await now(plan)).nextFillDate;
    expect((await cancel(dev, { taskId: `refill-${plan.id}`, reason: 'Wrong dose' })).status).toBe(200);
    expect(await now(plan)).toMatchObject({ fillsSent: 0, fill: 2, nextFillDate: date, state: 'active' });
    await sql`update orchestrator.refill_schedule set next_fill_date = ${today} where id = ${plan.id}`;
    expect([await check(plan), asks(await now(plan))]).toEqual([['gate'], ['decision:cancelled']]);
    await at(`/${plan.id}/decisions`, { phase: 2, by: 'Dr. Hart' });
    await eventually(async () => (await now(plan)).fillsSent === 1);
    expect((await ordersOf(dev, `refill-${plan.id}-2`)).length).toBe(1);
  });
});

test('a plan of its own schedule only: lists, 404, and the schedule’s cancel', async () => {
  const emrPatientId = randomUUID();
  const plan = await make({ emrPatientId, startDate: dayFromToday(3) });
  await newSchedule(dev, { emrPatientId });
  const { body } = await at(`?emrPatientId=${emrPatientId}&state=active&treatment=weight-loss`);
  expect(body.plans.map(({ id }) => id)).toEqual([plan.id]);
  await schedulesAt(dev, `/${plan.id}/cancel`, { method: 'POST' });
  expect(await now(plan)).toMatchObject({ state: 'stopped', stoppedBecause: 'cancelled', waitingFor: [] });
  expect((await at(`/${plan.id}/check-ins`, { answers: {} })).body.error).toBe('Plan is stopped');
  expect((await at(`/${randomUUID()}`)).status).toBe(404);
});

test('409: a plan that has ended is not resumed, stopped or renewed', async () => {
  const { id } = await make();
  expect((await at(`/${id}/resume`, {})).status).toBe(409);
  expect((await at(`/${id}/stop`, { reason: 'Moved' })).status).toBe(200);
  const renewal = { prescribedUntil: dayFromToday(90), by: 'Dr. Hart' };
  expect((await at(`/${id}/renew`, renewal)).status).toBe(409);
  expect((await at(`/${id}/stop`, { reason: 'Again' })).status).toBe(409);
});

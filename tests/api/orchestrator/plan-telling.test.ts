import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../../db/client.js';
import { askPlan } from '../../../db/orchestrator/plan-checks.js';
import { rxTask, rxWaiting } from '../../../workflows/search-attributes.js';
import { adminToken, call, callAs, eventually, mailboxOf, shared } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { openTemporal, type TemporalView } from '../../helpers/temporal-view.js';
import { asks, checkPlan, ladder, newPlan, type Plan, planNow, plansAt, runningPlan } from './plans.js';
import { dayFromToday, schedulesAt } from './refills.js';

const dev = shared();
const today = dayFromToday(0);
let sql: Sql;
let view: TemporalView;
beforeAll(async () => {
  sql = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
  view = await openTemporal(dev);
});
afterAll(() => Promise.all([sql.end(), view.close()]));

interface Item {
  id: string;
  reason: string;
  state: string;
  answers: string[];
  answer: string | null;
  closedBy: string | null;
  dueAt: string;
  references: Record<string, string>;
}
const desk = async <T>(path: string, options: { method?: string; body?: unknown } = {}) =>
  callAs<T>(dev, 'worklist', await adminToken(dev), { path, ...options });
async function itemsOf({ id }: Pick<Plan, 'id'>, kind: string, state = ''): Promise<Item[]> {
  const path = `/v1/work-items?kind=${kind}&limit=200${state && `&state=${state}`}`;
  const { body } = await desk<{ workItems: Item[] }>(path);
  return body.workItems.filter(({ references }) => references['planId'] === id);
}
const openItem = (plan: Pick<Plan, 'id'>, kind: string) =>
  eventually(async () => (await itemsOf(plan, kind, 'open'))[0]);
const closedItem = (plan: Pick<Plan, 'id'>, kind: string) =>
  eventually(async () => (await itemsOf(plan, kind, 'closed'))[0]);
const answer = (item: Item, given: string, { data, note }: { data?: object; note?: string } = {}) =>
  desk<{ workItem: Item; message: string }>(`/v1/work-items/${item.id}/answer`, {
    method: 'POST',
    body: { answer: given, data, note },
  });
const noItem = async (plan: Plan, kind: string) => expect(await itemsOf(plan, kind, 'open')).toEqual([]);

const subjectsOf = async ({ email }: TestPatient) =>
  (await mailboxOf<{ subject: string }>(dev, email)).map(({ subject }) => subject).reverse();
const told = (patient: TestPatient, ...subjects: string[]) =>
  eventually(async () => {
    const mails = await subjectsOf(patient);
    if (mails.length < subjects.length) return false;
    expect(mails).toEqual(subjects);
    return true;
  });
const [due, pastDue] = ['Your follow-up is due', 'Your follow-up is past due'];
/** Runs the daily check of that day. */
const askOn = ({ id }: Plan, days: number) =>
  askPlan(sql, id, { today: dayFromToday(days), timeZone: 'UTC', askDays: 10, graceDays: 7 });

describe('a patient whose check-in a plan waits for', () => {
  test('is told when it is asked, again three days before, and once it is past due', async () => {
    const patient = await newPatient(dev);
    const plan = await runningPlan({ emrPatientId: patient.id }, 10);
    await askOn(plan, 0);
    await told(patient, due);
    for (const day of [0, 4, 7, 8]) await askOn(plan, day);
    await told(patient, due, due);
    for (const day of [10, 11, 16]) await askOn(plan, day);
    await told(patient, due, due, pastDue);
    await noItem(plan, 'check_in_missing');
    await askOn(plan, 17);
    const item = await openItem(plan, 'check_in_missing');
    expect(item).toMatchObject({
      reason: 'fill',
      answers: ['remind', 'pause', 'stop', 'dismiss'],
      references: { planId: plan.id, emrPatientId: patient.id },
    });
    await told(patient, due, due, pastDue);
  });

  test('is told only what is due by then when the check comes late', async () => {
    const patient = await newPatient(dev);
    const plan = await runningPlan({ emrPatientId: patient.id }, 9);
    await askOn(plan, 12);
    await told(patient, pastDue);
    await askOn(plan, 13);
    expect(await subjectsOf(patient)).toEqual([pastDue]);
  });

  test('is told nothing while the plan is paused, and anew after a resume that sets another day', async () => {
    const patient = await newPatient(dev);
    const plan = await runningPlan({ emrPatientId: patient.id }, -1);
    await told(patient, pastDue);
    await plansAt(`/${plan.id}/pause`, undefined, 'POST');
    await askOn(plan, 8);
    await noItem(plan, 'check_in_missing');
    expect(await subjectsOf(patient)).toEqual([pastDue]);
    const { body } = await plansAt(`/${plan.id}/resume`, undefined, 'POST');
    expect(body.plan).toMatchObject({ nextFillDate: today, state: 'waiting' });
    await told(patient, pastDue, pastDue);
    await askOn(plan, 6);
    await noItem(plan, 'check_in_missing');
    await askOn(plan, 7);
    await openItem(plan, 'check_in_missing');
  });
});

describe('a missing check-in', () => {
  const missing = async (fields: object = {}) => {
    const patient = await newPatient(dev);
    const plan = await runningPlan({ emrPatientId: patient.id, ...fields }, -8);
    expect(await checkPlan(plan)).toEqual(['gate']);
    return { patient, plan, item: await openItem(plan, 'check_in_missing') };
  };

  test('is reminded of once more by an answer, and asked about again after the days of grace', async () => {
    const { patient, plan, item } = await missing();
    const read = await desk<{ context: object; effects: object }>(`/v1/work-items/${item.id}`);
    expect(read.body.context).toMatchObject({
      patient: { name: patient.name, state: 'NY' },
      medication: 'Semaglutide 5mg/mL',
      directions: 'inject 10 units weekly',
    });
    expect(read.body.effects).toEqual({
      remind: 'Tells the patient once more that the check-in is past due.',
      pause: 'Pauses the plan until somebody resumes it.',
      stop: 'Ends the plan. 3 fills are not sent.',
      dismiss: 'Closes the item. Nothing else changes.',
    });
    expect((await answer(item, 'remind')).status).toBe(200);
    await told(patient, pastDue, pastDue);
    expect(await closedItem(plan, 'check_in_missing')).toMatchObject({ answer: 'remind' });
    await checkPlan(plan);
    await askOn(plan, 6);
    await noItem(plan, 'check_in_missing');
    await askOn(plan, 7);
    await openItem(plan, 'check_in_missing');
  });

  test('pauses or stops the plan by an answer; the note is the reason', async () => {
    const paused = await missing();
    expect((await answer(paused.item, 'pause')).body.workItem).toMatchObject({
      answer: 'pause',
      state: 'closed',
    });
    expect(await planNow(paused.plan)).toMatchObject({ state: 'paused' });
    const stopped = await missing();
    expect((await answer(stopped.item, 'stop', { note: 'Cannot be reached' })).status).toBe(200);
    expect(await planNow(stopped.plan)).toMatchObject({
      state: 'stopped',
      stoppedBecause: 'Cannot be reached',
    });
  });

  test('that was dismissed is not asked about again; one that came is closed by the system', async () => {
    const dismissed = await missing();
    await answer(dismissed.item, 'dismiss');
    await askOn(dismissed.plan, 3);
    await noItem(dismissed.plan, 'check_in_missing');
    const { plan } = await missing({ phases: [{ ...ladder[0], fills: 4, decision: 'none' }] });
    await plansAt(`/${plan.id}/check-ins`, { answers: {} });
    expect(await closedItem(plan, 'check_in_missing')).toMatchObject({ closedBy: 'system', answer: null });
  });
});

describe('a decision that a plan needs', () => {
  /** The answers under way to its open item, at the orchestrator and at the worklist. */
  const claimsOn = async ({ id }: Plan) => {
    const rows = await sql<{ answering: string | null }[]>`
      select answering from orchestrator.work_item
      where kind = 'decision_needed' and state = 'open' and refers_to ->> 'planId' = ${id}
      union all
      select answering from worklist.work_item
      where kind = 'decision_needed' and closed_at is null and refers_to ->> 'planId' = ${id}
    `;
    return rows.map(({ answering }) => answering);
  };

  test('is asked of a person at once, due two days before the fill, and given with phase and note', async () => {
    const plan = await runningPlan({}, 5);
    await checkPlan(plan);
    await plansAt(`/${plan.id}/check-ins`, { answers: {}, flagged: true });
    const item = await openItem(plan, 'decision_needed');
    expect(item).toMatchObject({
      reason: 'flagged',
      answers: ['decide', 'stop'],
      dueAt: `${dayFromToday(3)}T00:00:00.000Z`,
    });
    const wrong = await answer(item, 'decide', { data: { phase: 3 } });
    expect([wrong.status, wrong.body.message]).toEqual([409, 'data.phase: Must be a phase of the plan']);
    expect(await claimsOn(plan)).toEqual([null, null]);
    const given = await answer(item, 'decide', { data: { phase: 2 }, note: 'Tolerates it well' });
    expect(given.body.workItem).toMatchObject({ state: 'closed', answer: 'decide' });
    const { decisions, plan: decided } = (await plansAt(`/${plan.id}`)).body;
    expect(decisions).toMatchObject([
      { phase: 2, fill: 2, reason: 'Tolerates it well', by: 'root@scriptrail.test' },
    ]);
    // The check-in of this fill was given before the phase was entered.
    expect([decided.phase, asks(decided)]).toEqual([2, []]);
  });

  test('is due in an hour at the least; one that a key gives is closed by the system', async () => {
    const plan = await runningPlan({}, 1);
    await checkPlan(plan);
    await plansAt(`/${plan.id}/check-ins`, { answers: {}, flagged: true });
    const { dueAt } = await openItem(plan, 'decision_needed');
    expect(Math.round((Date.parse(dueAt) - Date.now()) / 600_000)).toBe(6);
    await plansAt(`/${plan.id}/decisions`, { phase: 1, by: 'Dr. Hart' });
    expect(await closedItem(plan, 'decision_needed')).toMatchObject({ closedBy: 'system' });
  });

  test('and a renewal are an item each', async () => {
    const plan = await runningPlan({ prescribedUntil: today, phases: [{ ...ladder[1], fills: 3 }] }, 5);
    await checkPlan(plan);
    const item = await openItem(plan, 'decision_needed');
    expect(item).toMatchObject({ reason: 'renewal', answers: ['renew', 'stop'] });
    const early = await answer(item, 'renew', { data: { prescribedUntil: dayFromToday(4) } });
    const reason = 'data.prescribedUntil: Must not be before the next fill';
    expect([early.status, early.body.message]).toEqual([409, reason]);
    expect(await openItem(plan, 'decision_needed')).toMatchObject({ id: item.id, answer: null });
    expect(await claimsOn(plan)).toEqual([null, null]);
    const renewed = await answer(item, 'renew', { data: { prescribedUntil: dayFromToday(90) } });
    expect(renewed.body.workItem).toMatchObject({ state: 'closed' });
    expect(await planNow(plan)).toMatchObject({ prescribedUntil: dayFromToday(90), waitingFor: [] });
  });
});

describe('a fill with another treatment than the last', () => {
  test('tells the patient what has changed, once', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const phases = ladder.map((phase) => ({ ...phase, fills: 1, checkIn: 'none', decision: 'none' }));
    const plan = await newPlan({ emrPatientId: patient.id, phases });
    await eventually(async () => (await planNow(plan)).fillsSent === 1);
    // The run of the first fill may not have closed yet, and a check of another test may send the second.
    await eventually(async () => {
      if ((await planNow(plan)).fillsSent === 2) return true;
      await sql`update orchestrator.refill_schedule set next_fill_date = ${today} where id = ${plan.id}`;
      await checkPlan(plan);
      return false;
    });
    const [mail] = await eventually(async () => {
      const mails = await mailboxOf<{ subject: string; text: string }>(dev, patient.email);
      const found = mails.filter(({ subject }) => subject === 'Your treatment has changed');
      return found.length > 0 && found;
    });
    expect(mail!.text).toContain(
      'from Semaglutide 5mg/mL, inject 10 units weekly to Semaglutide 5mg/mL, inject 20 units weekly',
    );
    expect((await planNow(plan)).state).toBe('completed');
  });
});

describe('the client of a plan', () => {
  interface Event {
    type: string;
    taskId: string | null;
    planId: string;
    data: Record<string, unknown>;
  }
  const eventsOf = async ({ id }: Plan, after: number) => {
    const path = `/orchestrator/events?types=plan.*&limit=200&after=${after}`;
    const { body } = await call<{ events: Event[] }>(dev, 'orchestrator', { path });
    return body.events.filter(({ planId }) => planId === id);
  };
  const newest = async () => {
    const path = '/orchestrator/events?after=latest';
    return (await call<{ nextAfter: number }>(dev, 'orchestrator', { path })).body.nextAfter;
  };

  test('hears what it waits for, what was decided and how it ended, once each', async () => {
    const after = await newest();
    const plan = await runningPlan({}, 5);
    await checkPlan(plan);
    await plansAt(`/${plan.id}/check-ins`, { answers: {}, flagged: true });
    await plansAt(`/${plan.id}/decisions`, { phase: 1, by: 'Dr. Hart', reason: 'Stay' });
    await plansAt(`/${plan.id}/stop`, { reason: 'Moved away' });
    const dueAt = dayFromToday(5);
    const events = await eventually(async () => {
      const events = await eventsOf(plan, after);
      return events.length >= 4 && events;
    });
    expect(events.map(({ type, taskId, data }) => [type, taskId, data])).toEqual([
      ['plan.waiting', null, { fill: 2, phase: 1, what: 'check_in', because: 'fill', dueAt }],
      ['plan.waiting', null, { fill: 2, phase: 1, what: 'decision', because: 'flagged', dueAt }],
      ['plan.decided', null, { fill: 2, phase: 1 }],
      ['plan.stopped', null, { fill: 2, phase: 1, reason: 'asked' }],
    ]);
  });

  test('hears that its schedule was cancelled, not by whom or why', async () => {
    const after = await newest();
    const plan = await newPlan({ startDate: dayFromToday(3) });
    await schedulesAt(dev, `/${plan.id}/cancel`, { method: 'POST' });
    const [stopped] = await eventually(async () => {
      const events = await eventsOf(plan, after);
      return events.length > 0 && events;
    });
    expect(stopped).toMatchObject({ type: 'plan.stopped', data: { fill: 1, phase: 1, reason: 'cancelled' } });
  });
});

describe('the run of a plan (D128)', () => {
  const detailsOf = (plan: Plan, text: string) =>
    eventually(async () => {
      if ((await view.statusOf(`plan:${plan.id}`)) !== 'RUNNING') return undefined;
      const details = await view.detailsOf(`plan:${plan.id}`);
      return details.includes(text) && details;
    });

  test('shows the missing answer, its age and who may give it, and ends with the plan', async () => {
    const plan = await runningPlan({}, 5);
    await detailsOf(plan, 'Nothing is missing');
    await checkPlan(plan);
    const details = await detailsOf(plan, 'Waiting for a check-in');
    expect(details).toContain(`\`POST /orchestrator/plans/${plan.id}/check-ins\``);
    const { typedSearchAttributes: attributes, raw } = await view.client.workflow
      .getHandle(`plan:${plan.id}`)
      .describe();
    expect([attributes.get(rxWaiting), attributes.get(rxTask)]).toEqual(['check_in', `refill-${plan.id}`]);
    expect(raw.executionConfig?.userMetadata?.summary).toBeDefined();
    await plansAt(`/${plan.id}/stop`, { reason: 'Moved' });
    await eventually(async () => (await view.statusOf(`plan:${plan.id}`)) === 'COMPLETED');
  });

  test('is a new one after each fill', async () => {
    const patient = await newPatient(dev);
    await saveCard(dev, patient);
    const plan = await newPlan({ emrPatientId: patient.id });
    await detailsOf(plan, 'fill 2; 1 of 4 fills sent');
    const runs: string[] = [];
    for await (const { runId } of view.client.workflow.list({ query: `WorkflowId = 'plan:${plan.id}'` }))
      runs.push(runId);
    expect(runs.length).toBeLessThanOrEqual(2);
  });

  test('is started again by a sweep after it was terminated', async () => {
    const plan = await runningPlan({}, 5);
    await detailsOf(plan, 'Nothing is missing');
    await view.client.workflow.getHandle(`plan:${plan.id}`).terminate();
    for (const table of ['plan', 'refill_schedule'])
      await sql`
        update ${sql(`orchestrator.${table}`)} set updated_at = now() - interval '1 minute' where id = ${plan.id}
      `;
    await detailsOf(plan, 'Nothing is missing');
  });
});

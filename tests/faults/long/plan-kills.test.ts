import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { chargesOf, ordersOf, shipmentsOf } from '../../api/orchestrator/approvals.js';
import { dayFromToday } from '../../api/orchestrator/refills.js';
import { atLength } from '../../helpers/at-length.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { type Answer, call, eventually, mailboxOf } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
import { faultsMet, setFault } from '../faults.js';
import { dev, sql, temporal } from '../faulty-system.js';

interface Plan {
  id: string;
  fillsSent: number;
  waitingFor: unknown[];
}
type Send = () => Promise<Answer<{ plan: Plan }>>;
/** A request that is signed once, so that each repeat is the same one (D91). */
function request(path: string, body: object): Send {
  const { key: keyId, secret } = dev.apiKeys['approvals']!;
  const text = JSON.stringify(body);
  const headers = signedHeaders({ keyId, secret }, text);
  return () =>
    call(dev, 'orchestrator', { method: 'POST', path: `/orchestrator/plans${path}`, body: text, headers });
}

/** The same request until it is answered, as a client sends it whose answers are lost. */
const untilTaken = (path: string, body: object, send = request(path, body)): Promise<Plan> =>
  eventually(async () => {
    const answer = await send().catch(() => undefined);
    if (answer && answer.status >= 400 && answer.status < 500)
      throw new Error(`${path} was answered ${answer.status}`);
    return answer !== undefined && answer.status < 300 && answer.body.plan;
  });

/** Kills a process that has not been killed yet. */
async function kill(name: 'workers' | 'api'): Promise<void> {
  const pid = await eventually(async () => dev.pids[name] !== killed.get(name) && dev.pids[name]);
  killed.set(name, pid);
  process.kill(pid, 'SIGKILL');
}
const killed = new Map<string, number>();

const pastDue = 'Your follow-up is past due';

/** All books about the plan's second fill and its causes. */
async function books(planId: string, patient: TestPatient) {
  const reference = `refill-${planId}-2`;
  const counted = async (rows: Promise<readonly unknown[]>) => (await rows).length;
  const mails = await mailboxOf<{ subject: string }>(dev, patient.email);
  const events = await sql<{ type: string }[]>`
    select type from orchestrator.client_event where plan_id = ${planId} and type like 'plan.%' order by position
  `;
  const items = await sql<{ state: string }[]>`
    select state from orchestrator.work_item where refers_to ->> 'planId' = ${planId}
  `;
  return {
    checkIns: await counted(sql`select from orchestrator.plan_check_in where plan_id = ${planId}`),
    decisions: await counted(sql`select from orchestrator.plan_decision where plan_id = ${planId}`),
    orders: await counted(ordersOf(dev, reference)),
    charges: await counted(chargesOf(dev, reference)),
    labels: await counted(shipmentsOf(dev, reference)),
    events: events.map(({ type }) => type),
    items: items.map(({ state }) => state),
    // One that the check-in has overtaken is not sent any more.
    mails: mails
      .map(({ subject }) => subject)
      .filter((subject) => subject !== pastDue)
      .sort(),
    pastDueTwice: mails.filter(({ subject }) => subject === pastDue).length > 1,
  };
}
const once = {
  checkIns: 1,
  decisions: 1,
  orders: 1,
  charges: 1,
  labels: 0,
  events: ['plan.waiting', 'plan.waiting', 'plan.decided'],
  items: ['closed'],
  mails: ['Your prescription was approved', 'Your treatment has changed'],
  pastDueTwice: false,
};

/** A course that began elsewhere, whose fill is due and waits for a check-in and a decision. */
async function waiting(state = 'WA'): Promise<{ id: string; patient: TestPatient }> {
  const patient = await newPatient(dev, state);
  await saveCard(dev, patient);
  const phase = (units: number) => ({
    medication: 'semaglutide',
    dosage: `inject ${units} units weekly`,
    fills: units / 10,
  });
  const { id } = await untilTaken('', {
    planRef: randomUUID(),
    emrPatientId: patient.id,
    treatment: 'weight-loss',
    phases: [phase(10), phase(20)],
    running: { phase: 1, sent: 1, lastFillDate: dayFromToday(-27) },
  });
  return { id, patient };
}
const checkIn = { answers: { nausea: false }, fill: 2 };
const decision = { phase: 2, by: 'Dr. Hart', reason: 'Tolerates it well', fill: 2 };

/** Sends a request, kills the API after some milliseconds, and sends it until it is answered. */
async function takenThroughKill(path: string, body: object, moment: number): Promise<void> {
  const send = request(path, body);
  const lost = send().catch(() => undefined);
  await sleep(moment);
  await kill('api');
  await untilTaken(path, body, send);
  await lost;
}

/** The fill has gone out, its patient is told, and the run shows the next one. */
async function filled(id: string, patient: TestPatient): Promise<void> {
  await eventually(async () => {
    const found = await books(id, patient).catch(() => undefined);
    return found?.mails.length === once.mails.length && found.charges > 0;
  });
  await eventually(async () => {
    const details = await temporal.detailsOf(`plan:${id}`).catch(() => '');
    return details.includes('fill 3; 2 of 3 fills sent');
  });
}

/** Milliseconds after a request at which the process is killed. */
const moments = [0, 400, 100, 1_200];

test.each(moments.slice(0, atLength(2, 4)))(
  'APIs and workers killed %i ms after a check-in, a decision and their fill: everything once',
  async (moment) => {
    const { id, patient } = await waiting();
    await takenThroughKill(`/${id}/check-ins`, checkIn, moment);
    await takenThroughKill(`/${id}/decisions`, decision, moment);
    await kill('workers');
    await sleep(moment);
    await kill('workers');
    await filled(id, patient);
    expect(await books(id, patient)).toEqual(once);
  },
);

/** Calls of a fill to external services, by the process that makes them. */
const effects = [
  ['api', 'pharmacy_a', 'order', 'WA', ordersOf],
  ['workers', 'stripe', 'paymentIntents.create', 'WA', chargesOf],
  ['workers', 'shipping', 'create', 'NY', shipmentsOf],
] as const;

/** Kills the process when the outside party has done its work, and before it hears of that. */
async function killedAtEffect(
  id: string,
  [child, target, operation, , effectsOf]: (typeof effects)[number],
  whileFrozen: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  await untilTaken(`/${id}/check-ins`, checkIn);
  await setFault(dev, { target, operation, kind: 'delay', delayMs: 1_000, times: 1 });
  await untilTaken(`/${id}/decisions`, decision);
  await faultsMet(dev);
  const pid = dev.pids[child];
  killed.set(child, pid);
  process.kill(pid, 'SIGSTOP');
  await eventually(async () => (await effectsOf(dev, `refill-${id}-2`)).length > 0);
  await whileFrozen();
  process.kill(pid, 'SIGKILL');
}

test.each(effects)(
  '%s killed after %s did its %s for a fill and before it was reported: everything once',
  async (...effect) => {
    const [, target, , state] = effect;
    const { id, patient } = await waiting(state);
    await killedAtEffect(id, effect);
    await filled(id, patient);
    expect(await books(id, patient)).toEqual({ ...once, labels: target === 'shipping' ? 1 : 0 });
  },
);

test.each(['api', 'workers'] as const)(
  '%s killed while the patient of a fill is being told: everything once',
  async (child) => {
    const { id, patient } = await waiting();
    await untilTaken(`/${id}/check-ins`, checkIn);
    await eventually(async () => (await books(id, patient)).items.includes('open'));
    await setFault(dev, { target: 'smtp', kind: 'delay', delayMs: 1_000, times: 1 });
    await untilTaken(`/${id}/decisions`, decision);
    await faultsMet(dev);
    await kill(child);
    await filled(id, patient);
    expect(await books(id, patient)).toEqual(once);
  },
);

describe('the controls: without its guard', () => {
  /** Breaks the rows of one plan as they are written. */
  const spoiled = async (table: string, of: string, change: string) => {
    const name = `spoil_${randomUUID().replaceAll('-', '')}`;
    await sql.unsafe(`
      create function orchestrator.${name}() returns trigger language plpgsql as
        $$ begin ${change} return new; end $$;
      create trigger ${name} before insert or update on orchestrator.${table}
        for each row when (${of}) execute function orchestrator.${name}();
    `);
    return () => sql.unsafe(`drop function orchestrator.${name} cascade`);
  };

  test('a check-in that is not taken once for its request is found twice', async () => {
    const { id, patient } = await waiting();
    await untilTaken(`/${id}/check-ins`, checkIn);
    await untilTaken(`/${id}/check-ins`, { ...checkIn, answers: { again: true } });
    expect((await books(id, patient)).checkIns).toBe(2);
  });

  test('a decision that the plan does not keep is found twice after a kill', async () => {
    const { id, patient } = await waiting();
    await untilTaken(`/${id}/check-ins`, checkIn);
    const restore = await spoiled('plan', `new.id = '${id}'`, 'new.waiting := old.waiting;');
    await takenThroughKill(`/${id}/decisions`, decision, 1_200);
    const { decisions, events } = await books(id, patient);
    expect([decisions, events.filter((type) => type === 'plan.decided').length]).toEqual([2, 2]);
    await restore();
  });

  test('a charge whose row does not last is found twice after a kill', async () => {
    const { id, patient } = await waiting();
    const reference = `refill-${id}-2`;
    let restore = async (): Promise<unknown> => undefined;
    await killedAtEffect(id, effects[1], async () => {
      await sql`delete from orchestrator.payment where task_id = ${reference}`;
      restore = await spoiled('payment', `new.task_id = '${reference}'`, 'new.attempt := 2;');
    });
    await eventually(async () => (await books(id, patient)).charges === 2);
    await restore();
  });
});

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { chargesOf, ordersOf } from '../../api/orchestrator/approvals.js';
import { dayFromToday } from '../../api/orchestrator/refills.js';
import { signedHeaders } from '../../../platform/crypto/signature.js';
import { type Answer, call, eventually, mailboxOf } from '../../helpers/client.js';
import { newPatient, saveCard, type TestPatient } from '../../helpers/patients.js';
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
  events: ['plan.waiting', 'plan.waiting', 'plan.decided'],
  items: ['closed'],
  mails: ['Your prescription was approved', 'Your treatment has changed'],
  pastDueTwice: false,
};

/** A course that began elsewhere, whose fill is due and waits for a check-in and a decision. */
async function waiting(patient: TestPatient): Promise<Plan> {
  const phase = (units: number) => ({
    medication: 'semaglutide',
    dosage: `inject ${units} units weekly`,
    fills: units / 10,
  });
  return untilTaken('', {
    planRef: randomUUID(),
    emrPatientId: patient.id,
    treatment: 'weight-loss',
    phases: [phase(10), phase(20)],
    running: { phase: 1, sent: 1, lastFillDate: dayFromToday(-27) },
  });
}

/** Milliseconds after a request at which the process is killed. */
const moments = [0, 100, 400, 1_200];

test.each(moments)(
  'APIs and workers killed %i ms after a check-in, a decision and their fill: everything once',
  async (moment) => {
    const patient = await newPatient(dev, 'WA');
    await saveCard(dev, patient);
    const { id } = await waiting(patient);
    for (const [path, body] of [
      ['check-ins', { answers: { nausea: false }, fill: 2 }],
      ['decisions', { phase: 2, by: 'Dr. Hart', reason: 'Tolerates it well', fill: 2 }],
    ] as const) {
      const send = request(`/${id}/${path}`, body);
      const lost = send().catch(() => undefined);
      await sleep(moment);
      await kill('api');
      await untilTaken(`/${id}/${path}`, body, send);
      await lost;
    }
    await kill('workers');
    await sleep(moment);
    await kill('workers');
    await eventually(async () => {
      const found = await books(id, patient).catch(() => undefined);
      return found?.mails.length === once.mails.length && found.charges > 0;
    });
    await eventually(async () => {
      const details = await temporal.detailsOf(`plan:${id}`).catch(() => '');
      return details.includes('fill 3; 2 of 3 fills sent');
    });
    expect(await books(id, patient)).toEqual(once);
  },
);

test('a second check-in, decision or charge would be found (control)', async () => {
  const patient = await newPatient(dev, 'WA');
  await saveCard(dev, patient);
  const { id } = await waiting(patient);
  await untilTaken(`/${id}/check-ins`, { answers: {}, fill: 2 });
  await untilTaken(`/${id}/check-ins`, { answers: { again: true }, fill: 2 });
  await untilTaken(`/${id}/decisions`, { phase: 2, by: 'Dr. Hart', fill: 2 });
  await eventually(async () => (await books(id, patient)).mails.length === once.mails.length);
  const found = await books(id, patient);
  expect({ ...found, checkIns: 1 }).toEqual(once);
  expect(found.checkIns).toBe(2);
});

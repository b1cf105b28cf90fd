import { randomUUID } from 'node:crypto';
import Table from 'cli-table3';
import { findPaymentProfile } from '../../db/orchestrator/payment-profiles.js';
import { stepTitle } from '../../domain/orchestrator/pipeline.js';
import { refillReference, refillTaskId } from '../../domain/orchestrator/refills.js';
import { intakeWorkflowId, refillWorkflowId, shipmentWorkflowId } from '../../workflows/ids.js';
import type { DevJson } from '../dev-json.js';
import { bearer } from '../../cli/admin.js';
import { withDatabase } from '../../cli/database.js';
import { ask } from '../../cli/lists.js';
import { approvalLink, runLink } from '../../cli/system.js';
import { printTimeline } from '../../cli/timeline.js';
import { mailsTo, newest, readMail, sandbox, until } from './outside.js';
import { type FinishedRun, watchRun } from './watch-run.js';

interface Order {
  pharmacy: string;
  orderId: string;
  idempotencyKey: string;
}
interface Charge {
  amountCents: number;
  status: string;
  metadata: Record<string, string>;
}

const medication = 'semaglutide';

/**
 * `rx demo --life`: a complete patient journey from the intake form to the first refill.
 * @throws Error at the first step that fails
 */
export async function showLife(dev: DevJson): Promise<void> {
  const email = `nell.${randomUUID().slice(0, 8)}@patients.test`;
  const { submissionId, emailProof } = await takeIn(dev, email);
  const emrPatientId = await until('the EMR has the patient', () => emrPatientOf(submissionId));
  console.log('  The EMR has the patient.');
  await saveCard({ submissionId, emailProof }, emrPatientId);
  say('The intake', runLink(dev, intakeWorkflowId(submissionId)));

  const taskId = `life-${randomUUID()}`;
  console.log('\nThe clinician approves');
  const run = await watchRun(dev, { taskId, medication, emrPatientId }, (step) =>
    console.log(`  ${stepTitle(step)}`),
  );
  const firstOrder = await orderOf(dev, run);
  await readMail(dev, email, 'Your prescription was approved');
  say('The approval', approvalLink(dev, taskId));

  await ship(dev, firstOrder, email, 'Your first order has shipped');
  say('The shipment', runLink(dev, shipmentWorkflowId(firstOrder.submissionId)));

  const scheduleId = await refill(emrPatientId);
  const refillOrder = await orderOf(dev, await newestRun(refillTaskId(scheduleId)));
  say('The refill', runLink(dev, refillWorkflowId(scheduleId, 1)));

  await ship(dev, refillOrder, email, 'Your order has shipped');
  say('The second shipment', runLink(dev, shipmentWorkflowId(refillOrder.submissionId)));

  await summarize(dev, email, [
    { of: 'first order', reference: taskId, order: firstOrder },
    { of: 'refill', reference: refillReference(scheduleId, 1), order: refillOrder },
  ]);
  for (const told of [taskId, refillTaskId(scheduleId)]) {
    console.log(`\nThe timeline of ${told}`);
    await printTimeline(told);
  }
}

/** A submitted intake and the secret that proves its owner. */
interface TakenIntake {
  submissionId: string;
  emailProof: string;
}

/** Fills in the intake form, from the plans to the submit. */
async function takeIn(dev: DevJson, email: string): Promise<TakenIntake> {
  console.log('Somebody fills in the intake form');
  const { plans } = await visit<{
    plans: { intakeType: string; displayName: string; amountCents: number; token: string }[];
  }>('/plans');
  const plan = plans.find(({ intakeType }) => intakeType === 'glp-1');
  if (!plan) throw new Error('There is no plan for glp-1');
  console.log(`  They choose ${plan.displayName} for ${dollars(plan.amountCents)}.`);

  await visit('/verify-email/send', { email });
  const mail = await readMail(dev, email, 'Your verification code');
  const code = /\b\d{6}\b/.exec(mail.text)?.[0];
  const { emailProof } = await visit<{ emailProof?: string }>('/verify-email/check', { email, code });
  if (emailProof === undefined) throw new Error('The code was not accepted');
  console.log('  The code from the mail proves that the mailbox is theirs.');

  const { submissionId } = await visit<{ submissionId: string }>('/submit', {
    firstName: 'Nell',
    lastName: 'Demo',
    dob: '02-29-1984',
    gender: 'female',
    email,
    phone: '(202) 555-0101',
    state: 'WA',
    address: { line1: '18 Larch Lane', city: 'Sampleton', state: 'WA', zip: '98101' },
    intakeType: 'glp-1',
    planToken: plan.token,
    emailProof,
  });
  console.log(`  The intake is handed in: ${submissionId}`);
  return { submissionId, emailProof };
}

async function emrPatientOf(submissionId: string): Promise<string | null> {
  const { submission } = await ask<{ submission: { emr_patient_id: string | null } }>({
    service: 'intake',
    method: 'GET',
    path: `/admin/intake-submissions/${submissionId}`,
    headers: await bearer(),
  });
  return submission.emr_patient_id;
}

/** Saves a card and waits for the event that tells the orchestrator. No endpoint shows that. */
async function saveCard(intake: TakenIntake, emrPatientId: string): Promise<void> {
  const { emailProof } = intake;
  const { setupIntentId } = await visit<{ setupIntentId: string }>('/payment-intent', { emailProof });
  await visit('/save-payment-info', { ...intake, setupIntentId, paymentMethodId: 'pm_card_visa' });
  await withDatabase((sql) =>
    until('the orchestrator knows the card', () => findPaymentProfile(sql, emrPatientId)),
  );
  console.log('  A card is saved, and not charged yet.');
}

/** The pharmacy ships an order and delivers it. */
async function ship(dev: DevJson, { pharmacy, orderId }: Order, email: string, subject: string) {
  console.log(`\nThe pharmacy ships ${orderId}`);
  const path = `/pharmacies/${pharmacy}/orders/${orderId}/status`;
  const trackingNumber = `1Z${randomUUID().slice(0, 8).toUpperCase()}`;
  await sandbox(dev, path, { status: 'shipped', trackingNumber });
  await readMail(dev, email, subject);
  await sandbox(dev, path, { status: 'delivered' });
  await readMail(dev, email, 'Your order was delivered', trackingNumber);
}

/** Creates a schedule that is due today and runs the daily check. @returns the schedule's id */
async function refill(emrPatientId: string): Promise<string> {
  console.log('\nA refill is due');
  const { today } = await ask<{ today: string }>({ service: 'orchestrator', path: '/orchestrator/clock' });
  const body = { emrPatientId, medication, totalRefillsAllowed: 1, nextFillDate: today };
  const orchestrator = { service: 'orchestrator', method: 'POST' } as const;
  const { schedule } = await ask<{ schedule: { id: string } }>({
    ...orchestrator,
    path: '/orchestrator/refill-schedules',
    body: JSON.stringify(body),
  });
  const { results } = await ask<{ results: { scheduleId: string; processed: boolean; reason?: string }[] }>({
    ...orchestrator,
    path: '/orchestrator/refill-check',
  });
  const result = results.find(({ scheduleId }) => scheduleId === schedule.id);
  if (!result?.processed) throw new Error(`The refill was not sent: ${result?.reason ?? 'not looked at'}`);
  console.log("  The day's check sends it.");
  return schedule.id;
}

type SubmittedOrder = Order & { submissionId: string };

/** @throws Error if the run made no order at a pharmacy */
async function orderOf(dev: DevJson, { status, error, result }: FinishedRun): Promise<SubmittedOrder> {
  const submissionId = result?.submissionId;
  if (submissionId === undefined) throw new Error(`The run is ${status}: ${error ?? 'no order'}`);
  const { orders } = await sandbox<{ orders: Order[] }>(dev, `/orders?${newest}`);
  const order = orders.find(({ idempotencyKey }) => idempotencyKey.startsWith(submissionId));
  if (!order) throw new Error('No pharmacy has the order');
  console.log(`  ${order.pharmacy} has the order ${order.orderId}.`);
  return { ...order, submissionId };
}

async function newestRun(taskId: string): Promise<FinishedRun> {
  const path = `/orchestrator/status/${taskId}`;
  const { runs } = await ask<{ runs: FinishedRun[] }>({ service: 'orchestrator', method: 'GET', path });
  if (!runs[0]) throw new Error(`There is no run of ${taskId}`);
  return runs[0];
}

/** The totals in the records of processor, pharmacy and mailbox. */
async function summarize(
  dev: DevJson,
  email: string,
  parts: { of: string; reference: string; order: Order }[],
): Promise<void> {
  const table = new Table({ head: ['', 'Charged', 'Order'], style: { head: [], border: [], compact: true } });
  const { charges } = await sandbox<{ charges: Charge[] }>(dev, `/charges?${newest}`);
  for (const { of, reference, order } of parts) {
    const made = charges.filter((one) => one.status === 'succeeded' && one.metadata['task_id'] === reference);
    const charged = made.map(({ amountCents }) => dollars(amountCents)).join(' and ') || 'nothing';
    table.push([of, charged, `${order.pharmacy} ${order.orderId}`]);
  }
  console.log(`\n${table.toString()}`);
  const mails = await mailsTo(dev, email);
  console.log(`${mails.length} mails:`);
  for (const { subject } of mails) console.log(`  ${subject}`);
}

const visit = <T>(path: string, body?: object): Promise<T> =>
  ask<T>({
    service: 'intake',
    method: body ? 'POST' : 'GET',
    path,
    ...(body && { body: JSON.stringify(body) }),
  });

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
const say = (what: string, link: string) => console.log(`  ${what}: ${link}`);

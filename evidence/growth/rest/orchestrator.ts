import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../db/client.js';
import { taskOf } from '../../../db/orchestrator/clients.js';
import { setClock } from '../../../db/orchestrator/clock.js';
import { earliestFact } from '../../../db/orchestrator/closes.js';
import { dropKey } from '../../../db/orchestrator/keyed-requests.js';
import { findPlacedOrder } from '../../../db/orchestrator/orders.js';
import { putPaymentProfile } from '../../../dev/seed/payment-profiles.js';
import { giveUpDunning } from '../../../db/orchestrator/dunning.js';
import { takeProcessorEvent } from '../../../db/orchestrator/processor-events.js';
import { recordNotice } from '../../../db/orchestrator/bulk-retries.js';
import { openPrescriberGap } from '../../../db/orchestrator/prescriber-gaps.js';
import { claimRefill } from '../../../db/orchestrator/refill-claims.js';
import { announceRefills } from '../../../db/orchestrator/refill-notices.js';
import { recordRefusedRefund } from '../../../db/orchestrator/refunds.js';
import { recordNotTaken } from '../../../db/orchestrator/reroutes.js';
import { recordLabelFoundOf } from '../../../db/orchestrator/shipments.js';
import { isTakenBack } from '../../../db/orchestrator/tasks.js';
import {
  findUnknownOrderRun,
  holdEarlierOrder,
  recordNoOrder,
} from '../../../db/orchestrator/unknown-orders.js';

export function restOfOrchestrator(sql: Sql): Promise<unknown>[] {
  const id = randomUUID();
  const day = '2026-01-01';
  const card = { customerId: 'test', paymentMethodId: 'test', couponId: null, amountCents: 100 };
  return [
    findPlacedOrder(sql, id),
    putPaymentProfile(sql, id, { ...card, currency: 'usd', intakeType: null }),
    recordNotice(sql, { runId: id, attempt: 1, isSent: true }),
    recordNotice(sql, { runId: id, attempt: 1, isSent: false }),
    isTakenBack(sql, id),
    taskOf(sql, id),
    dropKey(sql, { id: Buffer.from(id), digest: Buffer.from('') }),
    holdEarlierOrder(sql, id, id),
    earliestFact(sql, day),
    setClock(sql, day).then(() => setClock(sql, null)),
    openPrescriberGap(sql, { platform: id, state: 'NY' }),
    announceRefills(sql, { client: id, after: day, until: day, limit: 1 }),
    recordLabelFoundOf(sql, id),
    settledRefill(sql, id),
    chargedEarlier(sql, randomUUID()),
    unpaid(sql, randomUUID()),
    notTaken(sql, randomUUID()),
    noOrder(sql, randomUUID()),
  ];
}

/** A refill whose order turned out to exist goes where its first run sent it. */
async function settledRefill(sql: Sql, scheduleId: string): Promise<void> {
  const day = '2026-01-01';
  await sql`
    insert into orchestrator.refill_schedule
      (id, emr_patient_id, medication, status, total_refills_allowed, last_fill_date, next_fill_date)
    values (${scheduleId}, 'test', 'test', 'completed', 1, ${day}, ${day})
  `;
  const taskId = `refill-${scheduleId}`;
  const run = { reference: `${taskId}-1`, taskId, runId: randomUUID(), workflowId: 'test', detailsHash: '' };
  const claim = { kind: 'refill', scheduleId, ...run, medication: 'test', emrPatientId: 'test' } as const;
  await claimRefill(sql, { ...claim, isSettled: true }, [], day);
}

/** The first of two attempts counts as failed and then turns out to have succeeded with another amount. */
async function chargedEarlier(sql: Sql, reference: string): Promise<void> {
  await openPayment(sql, reference, 'failed');
  const mark = { reference, attempt: 1 };
  const news = { kind: 'charged', mark, paymentIntentId: reference, amountCents: 100 } as const;
  await takeProcessorEvent(sql, { id: reference, type: 'test', news }, { receipts: false });
}

/** A failed charge without retries left. */
async function unpaid(sql: Sql, reference: string): Promise<void> {
  await openPayment(sql, reference, 'failed');
  await sql`insert into orchestrator.payment_recovery (reference) values (${reference})`;
  await giveUpDunning(sql, reference);
}

/** No pharmacy accepts a moved and charged order, and the processor rejects the refund. */
async function notTaken(sql: Sql, taskId: string): Promise<void> {
  await sql`
    insert into orchestrator.task (task_id, kind, state, details_hash, run_id, changing, changing_since)
    values (${taskId}, 'approve', 'completed', 'test', ${randomUUID()}, 'reroute', now())
  `;
  await openPayment(sql, taskId, 'succeeded');
  await recordNotTaken(sql, { taskId, reference: taskId, submissionId: null, workflowId: 'test' });
  await recordRefusedRefund(sql, { taskId, workflowId: 'test' });
}

/** A failed run's order with an unknown outcome turns out not to exist. */
async function noOrder(sql: Sql, taskId: string): Promise<void> {
  const [runId, submissionId] = [randomUUID(), randomUUID()];
  await sql`
    insert into orchestrator.task (task_id, kind, state, details_hash, run_id)
    values (${taskId}, 'approve', 'failed', 'test', ${runId})
  `;
  await sql`
    insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status, unknown_submission_id)
    values (${runId}, ${taskId}, 'test', 'test', 'test', 'failed', ${submissionId})
  `;
  const run = await findUnknownOrderRun(sql, submissionId);
  if (!run) throw new Error('the run was not found');
  await recordNoOrder(sql, run, submissionId, { today: '2026-01-01', timeZone: 'UTC' });
}

const openPayment = (sql: Sql, taskId: string, status: 'failed' | 'succeeded') => sql`
  insert into orchestrator.payment (task_id, emr_patient_id, attempt, amount_cents, status)
  values (${taskId}, 'test', 2, 200, ${status})
`;

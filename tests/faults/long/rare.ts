import { randomUUID } from 'node:crypto';
import { redeemCoupon } from '../../../db/coupon-redemptions.js';
import { upsertSyncAttempt } from '../../../db/bridge/sync-attempts.js';
import { queueRetry } from '../../../db/intake/retry-queue.js';
import { recordEmrEvent } from '../../../db/orchestrator/emr-events.js';
import { takeProcessorEvent } from '../../../db/orchestrator/processor-events.js';
import { closeWorkItem, openWorkItem } from '../../../db/work-items.js';
import { sendWebhook, webhookOf } from '../../api/bridge/bridge.js';
import { handedIn, newIntake } from '../../api/intake/intakes.js';
import { newBody, organization } from '../../api/patients/directory.js';
import { adminToken, callAs, eventually } from '../../helpers/client.js';
import type { Place } from './day.js';
import { grownTables } from './tables.js';

/** A closed row in each of the grown tables that a day leaves without one; of what is rarest it is put there by hand. */
export async function rarities({ dev, sql, stateDir }: Place): Promise<void> {
  const { submissionId } = await handedIn(dev, await newIntake(dev));
  const { status } = await callAs(dev, 'patients', await adminToken(dev, {}, stateDir), {
    method: 'POST',
    path: '/v1/patients',
    body: newBody(await organization(dev)),
  });
  if (status !== 201) throw new Error(`making a patient was answered ${status}`);
  await sendWebhook(dev, webhookOf('Patient.updated'));

  const taskId = randomUUID();
  for (const schema of ['router', 'orchestrator', 'intake', 'patients', 'bridge'] as const) {
    const fact = { kind: 'approval_failed', fact: taskId } as const;
    await sql.begin((sql) => openWorkItem(sql, schema, { ...fact, reason: 'test', references: { taskId } }));
    await sql.begin((sql) => closeWorkItem(sql, schema, fact));
  }
  await recordEmrEvent(sql, { eventId: randomUUID(), taskId, event: 'test', outcome: 'approval_started' });
  const unknown = {
    kind: 'refunded' as const,
    mark: null,
    paymentIntentId: taskId,
    refundedCents: 1,
  };
  await takeProcessorEvent(sql, { id: taskId, type: 'test', news: unknown }, { receipts: false });
  const coupon = { couponId: 'test', valid: true, once: false, redemptionsLeft: null };
  await redeemCoupon(sql, coupon, { emrPatientId: 'test', taskId });
  await upsertSyncAttempt(sql, {
    idempotencyKey: taskId,
    internalEventName: 'test',
    targetResourceId: taskId,
    targetResourceType: 'Patient',
  });
  await sql`update bridge.emr_sync_attempts set status = 'succeeded' where idempotency_key = ${taskId}`;
  await queueRetry(sql, submissionId, 'test');
  await sql`
    update intake.retry_queue set status = 'completed', next_retry_at = null where submission_id = ${submissionId}
  `;
  await sql`
    with recovery as (
      insert into orchestrator.recovery (id, step, per_minute, state, requested_by, ended_at)
      values (${taskId}, 'payment', 60, 'completed', 'test', now())
      returning id
    )
    insert into orchestrator.recovery_item (recovery_id, position, run_id, reference, outcome)
    select id, 1, id, 'test', 'succeeded' from recovery
  `;
  await sql`
    insert into orchestrator.replacement
      (reference, task_id, run_id, n, reason, paid_by, pharmacy, source_submission_id, state, running_since)
    select task_id || '~1', task_id, run_id, 1, 'lost', 'carrier', 'pharmacy_a', ${taskId}, 'ordered', null
    from orchestrator.task where state = 'completed' limit 1
  `;
  await sql`
    insert into patients.orphan_log (emr_patient_id, mrn, organization_id, reason, settled_at)
    values ('test', '0000000000', ${taskId}, 'test', now())
  `;
  await sql`
    insert into patients.erasure (patient_id, requested_by, state, completed_at)
    select id, 'test', 'completed', now() from patients.patient_directory limit 1
  `;
  await sql`insert into organization.audit_event (actor, action, target, ip) values ('test', 'test', 'test', 'test')`;
  await sql`
    insert into router.webhook_log (webhook, submission_id, body) select 'pharmacy_a', id, '{}' from router.submission limit 1
  `;
  await sql`
    insert into orchestrator.parcel (submission_id, n, tracking_number)
    select submission_id, 1, 'test' from orchestrator.shipment limit 1
    on conflict do nothing
  `;
  await sql`insert into orchestrator.patient_departure (emr_patient_id, reason) values ('test', 'patient_inactive')`;
  await sql`insert into orchestrator.direction_change (task_id, dosage) values (${taskId}, 'test')`;
  await sql`
    insert into worklist.order_history (id, task_key, actor, action) values (${taskId}, ${taskId}, 'test', 'cancel')
  `;
  for (const [table, isClosed] of Object.entries(grownTables))
    await eventually(async () => {
      const rows = await sql.unsafe(`select from ${table} where ${isClosed} limit 1`);
      return rows.length > 0;
    });
}

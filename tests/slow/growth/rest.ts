import { randomUUID } from 'node:crypto';
import { listAccessEvents } from '../../../db/access/access-events.js';
import { lockSealedSecrets, putSealedSecrets } from '../../../db/access/api-keys.js';
import { listSyncAttempts } from '../../../db/bridge/sync-attempts.js';
import { listWebhooks } from '../../../db/bridge/webhook-events.js';
import type { Sql } from '../../../db/client.js';
import { cancelRetry, listRetries, queueRetry } from '../../../db/intake/retry-queue.js';
import { listDeliveries } from '../../../db/notification/deliveries.js';
import { findPlacedOrder } from '../../../db/orchestrator/orders.js';
import { listRecoveries } from '../../../db/orchestrator/payment-recoveries.js';
import { takeProcessorEvent } from '../../../db/orchestrator/processor-events.js';
import { listSchedules } from '../../../db/orchestrator/refill-schedules.js';
import { listRuns } from '../../../db/orchestrator/runs.js';
import { listAuditEvents } from '../../../db/organization/audit.js';
import { listOrphans } from '../../../db/patients/orphans.js';
import { askAgain, noteSilence } from '../../../db/router/silence.js';
import { claimSubmission } from '../../../db/router/submission-claims.js';
import { listSubmissions } from '../../../db/router/submission-records.js';
import { readOrder } from '../../../db/router/submissions.js';
import { listItems } from '../../../db/worklist/items.js';

/** Before everything there is. */
const longAgo = new Date('2000-01-01');
const page = { limit: 100 };

/** Plans for any value are made from the sixth time on. */
const times = 7;

/** Statements that no test of the parts comes to, and lists by what none or few of their rows are. */
export async function playRest(sql: Sql): Promise<void> {
  for (let time = 0; time < times; time += 1) await Promise.all([...unreached(sql), ...emptyLists(sql)]);
}

function unreached(sql: Sql): Promise<unknown>[] {
  const id = randomUUID();
  return [
    sql.begin(async (sql) => {
      for (const key of await lockSealedSecrets(sql)) await putSealedSecrets(sql, key);
    }),
    sql.begin(async (sql) => {
      // Of no submission.
      await sql`set local session_replication_role = replica`;
      await queueRetry(sql, randomUUID(), 'test');
    }),
    cancelRetry(sql, id, 'test'),
    findPlacedOrder(sql, id),
    readOrder(sql, id),
    askAgain(sql, id),
    noteSilence(sql, { submissionId: id, askedAt: longAgo }),
    chargedEarlier(sql, id),
    takeOver(sql, id),
  ];
}

/** Of two attempts the first was taken for failed, and turns out to have succeeded for another amount. */
async function chargedEarlier(sql: Sql, reference: string): Promise<void> {
  await sql`
    insert into orchestrator.payment (task_id, emr_patient_id, attempt, amount_cents, status)
    values (${reference}, 'test', 2, 200, 'failed')
  `;
  const mark = { reference, attempt: 1 };
  const news = { kind: 'charged', mark, paymentIntentId: reference, amountCents: 100 } as const;
  await takeProcessorEvent(sql, { id: reference, type: 'test', news });
}

/** A run takes over a submission that its first try has ended without an order. */
async function takeOver(sql: Sql, submissionId: string): Promise<void> {
  const claim = {
    ...{ submissionId, claimId: randomUUID(), apiKeyId: 'test', source: 'test', sourceOrderId: submissionId },
    ...{ callbackUrl: '', patientState: 'NY', medicationName: 'test', isTest: true, payloadHash: 'test' },
  };
  await sql`
    insert into router.submission ${sql({ ...claim, id: submissionId, pharmacy: 'pharmacy_a', outcome: 'rejected', status: 'failed', requestPayload: '{}' }, 'id', 'claimId', 'apiKeyId', 'source', 'sourceOrderId', 'callbackUrl', 'patientState', 'medicationName', 'isTest', 'payloadHash', 'pharmacy', 'outcome', 'status', 'requestPayload')}
  `;
  const request = { ...claim, preferredPharmacy: null, claimId: randomUUID(), takesOver: claim.claimId };
  await sql.begin((sql) => claimSubmission(sql, request, 'run'));
}

/** What a filter leaves nothing of shows whether the whole list is read for it. */
function emptyLists(sql: Sql): Promise<unknown>[] {
  const id = randomUUID();
  const before = { createdAt: longAgo, id };
  const client = { apiKeyId: 'approvals', ...page };
  return [
    listAccessEvents(sql, { actor: id, ...page }),
    listAccessEvents(sql, { record: id, ...page }),
    listAccessEvents(sql, { action: id, ...page }),
    listAccessEvents(sql, { to: longAgo, ...page }),
    listAccessEvents(sql, { actor: 'test', to: longAgo, ...page }),
    listAccessEvents(sql, { before: '1', ...page }),
    listAuditEvents(sql, 'all', { actor: id, ...page }),
    listAuditEvents(sql, 'all', { organizationId: id, ...page }),
    listAuditEvents(sql, [id], page),
    listAuditEvents(sql, 'all', { to: longAgo, ...page }),
    listAuditEvents(sql, 'all', { before: '1', ...page }),
    listSyncAttempts(sql, 'all', { status: 'abandoned', ...page }),
    listSyncAttempts(sql, 'all', { event: id, ...page }),
    listSyncAttempts(sql, [id], page),
    listSyncAttempts(sql, 'all', { before, ...page }),
    listWebhooks(sql, { valid: false, ...page }),
    listWebhooks(sql, { resourceType: id, ...page }),
    listWebhooks(sql, { to: longAgo, ...page }),
    listRetries(sql, { status: 'failed', ...page }),
    listDeliveries(sql, { status: 'failed', ...page }),
    listDeliveries(sql, { type: 'visit_complete', ...page }),
    listDeliveries(sql, { recipient: id, ...page }),
    listDeliveries(sql, { to: longAgo, ...page }),
    listRecoveries(sql, { state: 'unpaid', ...page }),
    listRecoveries(sql, { before: { openedAt: longAgo, reference: id }, ...page }),
    listSchedules(sql, { status: 'paused', ...page }),
    listSchedules(sql, { emrPatientId: id, ...page }),
    listRuns(sql, { status: 'denied', ...page }),
    listRuns(sql, { warning: id, ...page }),
    listRuns(sql, { to: longAgo, ...page }),
    listOrphans(sql, [id], page),
    listSubmissions(sql, { ...client, status: 'failed' }),
    listSubmissions(sql, { ...client, pharmacy: 'pharmacy_b' }),
    listSubmissions(sql, { ...client, sourceOrderId: id }),
    listItems(sql, 'all', { state: 'snoozed', ...page }),
    listItems(sql, 'all', { overdue: true, ...page }),
    listItems(sql, 'all', { kind: id, ...page }),
    listItems(sql, 'all', { taskId: id, ...page }),
    listItems(sql, 'all', { organizationId: id, ...page }),
    listItems(sql, [id], page),
  ];
}

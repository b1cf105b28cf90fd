import { randomUUID } from 'node:crypto';
import { listAccessEvents } from '../../../db/access/access-events.js';
import { listSyncAttempts } from '../../../db/bridge/sync-attempts.js';
import { listWebhooks } from '../../../db/bridge/webhook-events.js';
import type { Sql } from '../../../db/client.js';
import { listRetries } from '../../../db/intake/retry-queue.js';
import { listDeliveries } from '../../../db/notification/deliveries.js';
import { findDunning, listDunnings } from '../../../db/orchestrator/dunning.js';
import { listPlans } from '../../../db/orchestrator/plans.js';
import { listUnpaidSchedules } from '../../../db/orchestrator/refill-checks.js';
import { listSchedules } from '../../../db/orchestrator/refill-schedules.js';
import { listRuns } from '../../../db/orchestrator/runs.js';
import { listAuditEvents } from '../../../db/organization/audit.js';
import { listOrphans } from '../../../db/patients/orphans.js';
import { listShippedOrders } from '../../../db/router/shipped-orders.js';
import { listSubmissions } from '../../../db/router/submission-records.js';
import { listItems } from '../../../db/worklist/items.js';
import { longAgo } from './long-ago.js';

const page = { limit: 100 };

/** A filter without matches shows whether the query reads the whole list. */
export function emptyLists(sql: Sql): Promise<unknown>[] {
  const id = randomUUID();
  const before = { createdAt: longAgo, id };
  const client = { apiKeyId: 'approvals', ...page };
  const shipped = { ...client, pharmacy: 'pharmacy_b' as const };
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
    findDunning(sql, id),
    listDunnings(sql, { state: 'unpaid', ...page }),
    listDunnings(sql, { before: { openedAt: longAgo, reference: id }, ...page }),
    listPlans(sql, page),
    listPlans(sql, { client: id, state: 'paused', ...page }),
    listPlans(sql, { emrPatientId: id, ...page }),
    listPlans(sql, { treatment: id, before: id, ...page }),
    listUnpaidSchedules(sql, [id]),
    listSchedules(sql, { status: 'paused', ...page }),
    listSchedules(sql, { emrPatientId: id, ...page }),
    listRuns(sql, { status: 'denied', ...page }),
    listRuns(sql, { warning: id, ...page }),
    listRuns(sql, { to: longAgo, ...page }),
    listOrphans(sql, [id], page),
    listShippedOrders(sql, { ...shipped, from: longAgo, to: longAgo, after: undefined }),
    listShippedOrders(sql, { ...shipped, from: longAgo, to: new Date(), after: id }),
    listSubmissions(sql, { ...client, status: 'failed' }),
    listSubmissions(sql, { ...client, pharmacy: 'pharmacy_b' }),
    listSubmissions(sql, { ...client, sourceOrderId: id }),
    listSubmissions(sql, { ...client, submittedTo: longAgo }),
    listItems(sql, 'all', { state: 'snoozed', ...page }),
    listItems(sql, 'all', { overdue: true, ...page }),
    listItems(sql, 'all', { kind: id, ...page }),
    listItems(sql, 'all', { taskId: id, ...page }),
    listItems(sql, 'all', { organizationId: id, ...page }),
    listItems(sql, [id], page),
  ];
}

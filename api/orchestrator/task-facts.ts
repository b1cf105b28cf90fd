import { findDeskOrder } from '../../db/orchestrator/desk-orders.js';
import { findPlan } from '../../db/orchestrator/plans.js';
import { listReplacementsOfTasks } from '../../db/orchestrator/replacements.js';
import { listTimelineFacts, listTimelineRuns } from '../../db/orchestrator/timeline.js';
import type { Queryable } from '../../db/client.js';
import { noticeKeys } from '../../domain/orchestrator/notices.js';
import { planNotices } from '../../domain/orchestrator/plan-notices.js';
import { scheduleIdOf } from '../../domain/orchestrator/refills.js';

/**
 * The records about a task, and the keys of its messages (D111).
 * @param named a task, or the reference of one of its orders
 * @returns undefined for a task without a run
 */
export async function readTaskFacts(sql: Queryable, named: string) {
  const taskId = (await findDeskOrder(sql, named))?.taskId ?? named;
  const runs = await listTimelineRuns(sql, taskId);
  if (runs.length === 0) return undefined;
  const scheduleId = scheduleIdOf(taskId);
  const held = unique([...(scheduleId === null ? [taskId] : []), ...runs.map((run) => run.reference)]);
  const replacements = await listReplacementsOfTasks(sql, held);
  const references = unique([...held, ...replacements.map(({ reference }) => reference)]);
  const facts = await listTimelineFacts(sql, { taskId, scheduleId, references });
  const submissionIds = unique(
    [...runs, ...facts.orders, ...facts.shipments, ...replacements].flatMap(
      ({ submissionId }) => submissionId ?? [],
    ),
  );
  const plan = scheduleId === null ? undefined : await findPlan(sql, scheduleId);
  const messageKeys = noticeKeys({
    submissionIds,
    references,
    runIds: runs.flatMap(({ id, status }) => (status === 'denied' ? [id] : [])),
    tries: new Map(
      runs.flatMap(({ submissionId, noticeAttempt }) =>
        submissionId === null ? [] : [[submissionId, noticeAttempt] as const],
      ),
    ),
    parcels: new Map(facts.shipments.map(({ submissionId, parcels }) => [submissionId, parcels])),
    planNotices: plan ? planNotices(plan) : [],
    charges: new Map(facts.charges.map(({ reference, attempt }) => [reference, attempt])),
    reminders: new Map(facts.recoveries.map(({ reference, messagesSent }) => [reference, messagesSent])),
  });
  return { runs, replacements, facts, references, submissionIds, messageKeys };
}

export const unique = (ids: readonly string[]): string[] => [...new Set(ids)];

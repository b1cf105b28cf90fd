import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { freshTask } from '../../helpers/client.js';
import { db } from '../real-parts.js';
import { own } from './steps-twice.js';
import type { Entries } from '../twice.js';
import type { BulkRetryActivities } from '../../../activities/orchestrator/bulk-retry.js';

/** A recovery of one run that failed at its first step. */
async function recovery() {
  const [recoveryId, runId, taskId] = [randomUUID(), randomUUID(), freshTask()];
  const [emrPatientId, workflowId] = [randomUUID(), `test:${runId}`];
  await db`
    insert into orchestrator.task (task_id, kind, state, details_hash, run_id)
    values (${taskId}, 'approve', 'failed', 'hash', ${runId})
  `;
  await db`
    insert into orchestrator.run (id, task_id, workflow_id, medication, emr_patient_id, status, failed_step, error)
    values (${runId}, ${taskId}, ${workflowId}, 'semaglutide', ${emrPatientId}, 'failed', 'medication_config', 'No')
  `;
  await db`
    insert into orchestrator.recovery (id, step, per_minute, requested_by)
    values (${recoveryId}, 'medication_config', 60, 'admin')
  `;
  await db`
    insert into orchestrator.recovery_item (recovery_id, position, run_id, reference)
    values (${recoveryId}, 1, ${runId}, ${taskId})
  `;
  return { recoveryId, runId, taskId };
}
const outcomeOf = (recoveryId: string) =>
  db`select outcome from orchestrator.recovery_item where recovery_id = ${recoveryId}`;
const stateOf = (recoveryId: string) =>
  db`select state, ended_at is not null as has_ended from orchestrator.recovery where id = ${recoveryId}`;

export const recoveries: Entries<BulkRetryActivities> = {
  readTurns: async () => {
    const { recoveryId } = await recovery();
    const counted = { selected: 1, done: 0, succeeded: 0, failed: 0, skipped: 0 };
    return {
      input: { recoveryId, size: 20 },
      answers: { progress: { state: 'running', ...counted }, perMinute: 60, positions: [1] },
      seen: () => outcomeOf(recoveryId),
      once: [{ outcome: null }],
    };
  },
  readFailed: async () => {
    const { recoveryId, runId, taskId } = await recovery();
    return {
      input: { recoveryId, position: 1 },
      answers: expect.objectContaining({ runId, reference: taskId, referencePart: taskId, kind: 'approve' }),
      seen: () => outcomeOf(recoveryId),
      once: [{ outcome: null }],
    };
  },
  recordRecovered: async () => {
    const { recoveryId } = await recovery();
    return {
      input: { recoveryId, position: 1, outcome: 'succeeded' },
      seen: () => outcomeOf(recoveryId),
      once: [{ outcome: 'succeeded' }],
      // The first word stays.
      meanwhile: () => own.recordRecovered({ recoveryId, position: 1, outcome: 'failed' }),
    };
  },
  recordNotice: async () => {
    const { runId } = await recovery();
    return {
      input: { runId, attempt: 0, isSent: false },
      seen: () => db`select notice_attempt, notified_at from orchestrator.run where id = ${runId}`,
      once: [{ noticeAttempt: 1, notifiedAt: null }],
    };
  },
  endRecovery: async () => {
    const { recoveryId } = await recovery();
    return {
      input: { recoveryId, state: 'cancelled' },
      seen: () => stateOf(recoveryId),
      once: [{ state: 'cancelled', hasEnded: true }],
      // One that was cancelled does not become completed.
      meanwhile: () => own.endRecovery({ recoveryId, state: 'completed' }),
    };
  },
};

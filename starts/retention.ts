import type { Client } from '@temporalio/client';
import { erasureDetails } from '../domain/retention/erasures.js';
import { erasureWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import { startOrJoin } from './runs.js';
import { sweeps } from './priorities.js';
import { ensureDailySchedule } from './schedules.js';

/** Erases a patient, without waiting: one run per erasure, which further requests join (D94). */
export async function beginErasure(temporal: Client, erasureId: string): Promise<void> {
  await startOrJoin(
    temporal,
    {
      workflow: 'erasePatient',
      id: erasureWorkflowId(erasureId),
      queue: 'retention',
      args: [{ erasureId }],
      summary: 'Erase a patient',
      priority: sweeps,
      details: `**Erasure** ${erasureId}\n\n${erasureDetails('running')}`,
    },
    0,
  );
}

/** Runs once a day, at an hour of low load (D94). */
export const ensureDailyRetention = (temporal: Client, timeZone: string) =>
  ensureDailySchedule(temporal, {
    scheduleId: 'retention',
    workflow: 'applyRetention',
    workflowId: 'retention',
    taskQueue: taskQueues.retention,
    hour: 3,
    timeZone,
    summary: 'Retention',
    priority: sweeps,
  });

import type { Client } from '@temporalio/client';
import { erasureDetails } from '../domain/retention/erasures.js';
import { erasureWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import { startOrJoin } from './runs.js';
import { sweeps } from './priorities.js';
import { ensureDailySchedule } from './schedules.js';

/** Erases a patient: one run per erasure at a time, which whoever asks again joins (D94). Nobody waits for its end. */
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

/** Once a day, at an hour when little else happens (D94). */
export const ensureDailyRetention = (temporal: Client, timeZone: string): Promise<void> =>
  ensureDailySchedule(temporal, {
    scheduleId: 'retention',
    workflow: 'applyRetention',
    workflowId: 'retention',
    taskQueue: taskQueues.retention,
    hour: 3,
    timeZone,
    summary: 'What is past its age',
    priority: sweeps,
  });

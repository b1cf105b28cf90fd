import type { Priority } from '@temporalio/common';
import type { WorkflowName } from './runs.js';
import {
  type Client,
  ScheduleAlreadyRunning,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';

interface Recurring {
  scheduleId: string;
  workflow: WorkflowName;
  workflowId: string;
  taskQueue: string;
  summary: string;
  priority?: Priority;
}

/** Runs once a day. Runs missed while Temporal was down are made up within a day. */
export const ensureDailySchedule = (
  client: Client,
  { hour, timeZone, ...daily }: Recurring & { hour: number; timeZone: string },
): Promise<void> =>
  ensureSchedule(client, daily, {
    spec: { calendars: [{ hour, minute: 0 }], timezone: timeZone },
    catchupWindow: '24 hours',
  });

/** Ends a schedule; its runs continue. */
export async function endSchedule(client: Client, scheduleId: string): Promise<void> {
  try {
    await client.schedule.getHandle(scheduleId).delete();
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
  }
}

/** Runs at an interval. Missed runs are not made up. */
export const ensureRegularSchedule = (
  client: Client,
  { seconds, ...regular }: Recurring & { seconds: number },
): Promise<void> =>
  ensureSchedule(client, regular, {
    spec: { intervals: [{ every: seconds * 1_000 }] },
    catchupWindow: seconds * 1_000,
  });

/** Creates or updates a schedule; an operator's pause stays (D42). */
async function ensureSchedule(
  client: Client,
  recurring: Recurring,
  { spec, catchupWindow }: { spec: ScheduleOptions['spec']; catchupWindow: '24 hours' | number },
): Promise<void> {
  const definition = {
    spec,
    action: {
      type: 'startWorkflow' as const,
      workflowType: recurring.workflow,
      workflowId: recurring.workflowId,
      taskQueue: recurring.taskQueue,
      args: [],
      staticSummary: recurring.summary,
      ...(recurring.priority && { priority: recurring.priority }),
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  };
  try {
    await client.schedule.create({ scheduleId: recurring.scheduleId, ...definition });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId } = recurring;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...definition, state }));
  }
}

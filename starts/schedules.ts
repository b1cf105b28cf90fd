import type { WorkflowName } from './begin.js';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';

export interface DailySchedule {
  scheduleId: string;
  workflow: WorkflowName;
  workflowId: string;
  taskQueue: string;
  hour: number;
  timeZone: string;
  summary: string;
}

/** Temporal makes up for what was missed within this time when it was down. */
const catchupWindow = '24 hours';

/** Creates a daily schedule, or brings an existing one up to date; a pause that an operator set is kept (D42). */
export async function ensureDailySchedule(client: Client, daily: DailySchedule): Promise<void> {
  const definition = {
    spec: { calendars: [{ hour: daily.hour, minute: 0 }], timezone: daily.timeZone },
    action: {
      type: 'startWorkflow' as const,
      workflowType: daily.workflow,
      workflowId: daily.workflowId,
      taskQueue: daily.taskQueue,
      args: [],
      staticSummary: daily.summary,
    },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow },
  };
  try {
    await client.schedule.create({ scheduleId: daily.scheduleId, ...definition });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const { scheduleId } = daily;
    await client.schedule.getHandle(scheduleId).update(({ state }) => ({ ...definition, state }));
  }
}

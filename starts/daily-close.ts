import type { Client } from '@temporalio/client';
import type { CalendarDay } from '../domain/calendar.js';
import { closeWorkflowId } from '../workflows/ids.js';
import { taskQueues } from '../workflows/queues.js';
import { sweeps } from './priorities.js';
import { startOrJoin } from './runs.js';
import { endSchedule, ensureDailySchedule } from './schedules.js';

/** Closes a day (D131). A closed day is not closed again. */
export const closeDay = (temporal: Client, date: CalendarDay, withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'closeDay',
      id: closeWorkflowId(date),
      queue: 'orchestrator',
      args: [{ date }],
      once: true,
      priority: sweeps,
      summary: `Close ${date}`,
    },
    withinMs,
  );

const scheduleId = 'daily-close';

/** The daily close of the day before (D131): 07:00 in the business's time zone; `off` ends the schedule. */
export const ensureDailyClose = (temporal: Client, timeZone: string, dailyClose: 'on' | 'off') =>
  dailyClose === 'off'
    ? endSchedule(temporal, scheduleId)
    : ensureDailySchedule(temporal, {
        scheduleId,
        workflow: 'closeDay',
        workflowId: 'daily-close',
        taskQueue: taskQueues.orchestrator,
        hour: 7,
        timeZone,
        summary: 'Daily close',
        priority: sweeps,
      });

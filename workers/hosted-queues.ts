import { createAgeActivities, createErasureActivities } from '../activities/retention/retention.js';
import { outboxServices } from '../db/redrive.js';
import { ensureDailyClose } from '../starts/daily-close.js';
import { ensureDailyRefunds } from '../starts/dunning.js';
import { ensureDailyRetention } from '../starts/retention.js';
import { ensureDailyRefillCheck } from '../starts/orchestrator.js';
import { ensureSilenceCheck } from '../starts/router.js';
import { outboxOf } from '../starts/outbox.js';
import { queueOwners, type TaskQueue } from '../workflows/queues.js';
import { type Loop, startRelay, startSweeps } from './beside.js';
import { bridgeActivities } from './bridge/activities.js';
import { bridgeSweeps } from './bridge/sweeps.js';
import type { Sweep, WorkerContext } from './context.js';
import { intakeActivities, intakeEmrActivities } from './intake/activities.js';
import { intakeSweeps } from './intake/sweeps.js';
import { notificationActivities } from './notification/activities.js';
import { notificationSweeps } from './notification/sweeps.js';
import { orchestratorActivities } from './orchestrator/activities.js';
import { startNumbering } from './orchestrator/numbering.js';
import { orchestratorSweeps } from './orchestrator/sweeps.js';
import { organizationActivities } from './organization/activities.js';
import { organizationSweeps } from './organization/sweeps.js';
import { patientsActivities } from './patients/activities.js';
import { patientsSweeps } from './patients/sweeps.js';
import { retentionSweeps } from './retention/sweeps.js';
import { callbackActivities, routerActivities } from './router/activities.js';
import { routerSweeps } from './router/sweeps.js';
import { worklistActivities } from './worklist/activities.js';

export interface QueueDefinition {
  activities: (context: WorkerContext) => object;
  /** Concurrent activities per worker, in place of `ACTIVITY_SLOTS`. */
  activitySlots?: number;
  /** Creates what must exist in Temporal before the worker starts. */
  prepare?: (context: WorkerContext) => Promise<void>;
  sweeps?: (context: WorkerContext) => readonly Sweep[];
  /** Starts a loop of the queue's own. */
  loop?: (context: WorkerContext) => Loop;
}

/**
 * Maps each task queue to its activities. Every worker bundles all workflows; a workflow runs on the queue where it was
 * started.
 */
export const queues: Record<TaskQueue, QueueDefinition> = {
  orchestrator: {
    activities: orchestratorActivities,
    prepare: async ({ temporal, config }) => {
      await ensureDailyRefunds(temporal, config.BUSINESS_TIMEZONE);
      await ensureDailyClose(temporal, config.BUSINESS_TIMEZONE, config.service('orchestrator').DAILY_CLOSE);
    },
    sweeps: orchestratorSweeps,
    loop: startNumbering,
  },
  refills: {
    activities: orchestratorActivities,
    // Few, so that a day of refills does not delay approvals (`npm run evidence -- refills`).
    activitySlots: 2,
    prepare: ({ temporal, config }) => ensureDailyRefillCheck(temporal, config.BUSINESS_TIMEZONE),
  },
  router: {
    activities: routerActivities,
    prepare: ({ temporal, config }) =>
      ensureSilenceCheck(temporal, config.service('router').PHARMACY_SILENCE_CHECK_SECONDS),
    sweeps: routerSweeps,
  },
  // Callbacks mostly wait for receivers, and each receiver gets a share of the slots at most
  // (activities/router/callbacks.ts).
  callbacks: { activities: callbackActivities, activitySlots: 500 },
  notification: { activities: notificationActivities, sweeps: notificationSweeps },
  intake: { activities: intakeActivities, sweeps: intakeSweeps },
  intakeEmr: { activities: intakeEmrActivities },
  organization: { activities: organizationActivities, sweeps: organizationSweeps },
  patients: { activities: patientsActivities, sweeps: patientsSweeps },
  worklist: { activities: worklistActivities },
  bridge: { activities: bridgeActivities, sweeps: bridgeSweeps },
  // Deletes and overwrites with a database role that no service has (D94).
  retention: {
    activities: (context) => ({ ...createAgeActivities(context), ...createErasureActivities(context) }),
    // Few, because no caller waits and its statements are the largest of all.
    activitySlots: 2,
    prepare: ({ temporal, config }) => ensureDailyRetention(temporal, config.BUSINESS_TIMEZONE),
    sweeps: retentionSweeps,
  },
};

/** Starts the relay and the sweeps of a queue. */
export function startBeside(context: WorkerContext, queue: TaskQueue): Loop[] {
  const { sweeps, loop } = queues[queue];
  const outbox = outboxServices.find((service) => service === queue);
  return [
    ...(outbox ? [startRelay(outboxOf(context, outbox))] : []),
    ...(sweeps ? [startSweeps(context, queueOwners[queue], sweeps(context))] : []),
    ...(loop ? [loop(context)] : []),
  ];
}

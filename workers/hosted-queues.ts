import type { OutboxService } from '../db/redrive.js';
import type { DatabaseRole } from '../platform/service-names.js';
import { ensureDailyRetention } from '../starts/retention.js';
import { ensureDailyRefillCheck } from '../starts/orchestrator.js';
import { ensureSilenceCheck } from '../starts/router.js';
import { outboxOf } from '../starts/outbox.js';
import type { TaskQueue } from '../workflows/queues.js';
import { type Loop, startRelay, startSweeps, type Sweep } from './beside.js';
import { bridgeActivities } from './bridge/activities.js';
import { bridgeSweeps } from './bridge/sweeps.js';
import type { WorkerContext } from './context.js';
import { intakeActivities, intakeEmrActivities } from './intake/activities.js';
import { intakeSweeps } from './intake/sweeps.js';
import { notificationActivities } from './notification/activities.js';
import { notificationSweeps } from './notification/sweeps.js';
import { orchestratorActivities } from './orchestrator/activities.js';
import { orchestratorSweeps } from './orchestrator/sweeps.js';
import { organizationActivities } from './organization/activities.js';
import { organizationSweeps } from './organization/sweeps.js';
import { patientsActivities } from './patients/activities.js';
import { patientsSweeps } from './patients/sweeps.js';
import { retentionActivities } from './retention/activities.js';
import { retentionSweeps } from './retention/sweeps.js';
import { callbackActivities, routerActivities } from './router/activities.js';
import { routerSweeps } from './router/sweeps.js';
import { worklistActivities } from './worklist/activities.js';

export interface QueueDefinition {
  /** Whose database, settings and credentials its activities use. */
  service: DatabaseRole;
  /** The activities of the queue from their dependencies. */
  activities: (context: WorkerContext) => object;
  /** Activities at once in one worker, where `ACTIVITY_SLOTS` does not fit. */
  activitySlots?: number;
  /** What must exist in Temporal before the worker runs. */
  prepare?: (context: WorkerContext) => Promise<void>;
  /** Whose outbox is relayed beside the worker. */
  outbox?: OutboxService;
  /** What is looked for beside the worker. */
  sweeps?: (context: WorkerContext) => readonly Sweep[];
}

/** Which worker runs what. Every worker knows all workflows; a workflow runs where it is started. */
export const queues: Record<TaskQueue, QueueDefinition> = {
  orchestrator: {
    service: 'orchestrator',
    activities: orchestratorActivities,
    outbox: 'orchestrator',
    sweeps: orchestratorSweeps,
  },
  refills: {
    service: 'orchestrator',
    activities: orchestratorActivities,
    // Few, so that a day of refills leaves approvals their share (evidence/bench/refills.ts).
    activitySlots: 2,
    prepare: ({ temporal, config }) => ensureDailyRefillCheck(temporal, config.BUSINESS_TIMEZONE),
  },
  router: {
    service: 'router',
    activities: routerActivities,
    prepare: ({ temporal, config }) =>
      ensureSilenceCheck(temporal, config.service('router').PHARMACY_SILENCE_CHECK_SECONDS),
    outbox: 'router',
    sweeps: routerSweeps,
  },
  // Mostly waiting for receivers, of which none gets more than a share (activities/router/callbacks.ts).
  callbacks: { service: 'router', activities: callbackActivities, activitySlots: 500 },
  notification: { service: 'notification', activities: notificationActivities, sweeps: notificationSweeps },
  intake: { service: 'intake', activities: intakeActivities, outbox: 'intake', sweeps: intakeSweeps },
  intakeEmr: { service: 'intake', activities: intakeEmrActivities },
  organization: {
    service: 'organization',
    activities: organizationActivities,
    outbox: 'organization',
    sweeps: organizationSweeps,
  },
  patients: {
    service: 'patients',
    activities: patientsActivities,
    outbox: 'patients',
    sweeps: patientsSweeps,
  },
  worklist: { service: 'worklist', activities: worklistActivities },
  bridge: { service: 'bridge', activities: bridgeActivities, outbox: 'bridge', sweeps: bridgeSweeps },
  // Deletes and overwrites with a role of its own, which no service has (D94).
  retention: {
    service: 'retention',
    activities: retentionActivities,
    // Few: nobody waits for it, and its pages are the largest statements there are.
    activitySlots: 2,
    prepare: ({ temporal, config }) => ensureDailyRetention(temporal, config.BUSINESS_TIMEZONE),
    sweeps: retentionSweeps,
  },
};

/** Starts the loops beside the worker of a queue. */
export const startBeside = (context: WorkerContext, { service, outbox, sweeps }: QueueDefinition): Loop[] => [
  ...(outbox ? [startRelay(outboxOf(context, outbox))] : []),
  ...(sweeps ? [startSweeps(context, service, sweeps(context))] : []),
];

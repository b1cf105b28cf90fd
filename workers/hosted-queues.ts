import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { StoringService } from '../platform/config.js';
import type { TaskQueue } from '../workflows/queues.js';
import type { WorkerContext } from './context.js';
import { bridgeActivities } from './bridge/activities.js';
import { callbackActivities } from './router/callback-activities.js';
import { ensureDailyRefillCheck } from '../starts/orchestrator.js';
import { intakeEmrActivities } from './intake/emr-activities.js';
import { intakeActivities } from './intake/activities.js';
import { keepCalls } from './orchestrator/keep-calls.js';
import { notificationActivities } from './notification/activities.js';
import { orchestratorActivities } from './orchestrator/activities.js';
import { organizationActivities } from './organization/activities.js';
import { patientsActivities } from './patients/activities.js';
import { routerActivities } from './router/activities.js';
import { startRelay } from './start-relay.js';
import { sweepCreations } from './patients/sweeps.js';
import { sweepNotifications } from './notification/sweeps.js';
import { sweepRuns } from './orchestrator/sweeps.js';

export interface QueueDefinition {
  /** Whose database, settings and credentials its activities use. */
  service: StoringService;
  /** The activities of the queue from their dependencies. */
  activities: (context: WorkerContext) => object;
  /** Activities at once in one worker, where `ACTIVITY_SLOTS` does not fit. */
  activitySlots?: number;
  /** Around every activity of the queue. */
  around?: (context: WorkerContext) => ActivityInboundCallsInterceptor;
  /** What must exist in Temporal once the worker runs: schedules, singletons. */
  prepare?: (context: WorkerContext) => Promise<void>;
  /** What runs beside the worker, until the function it returns is called. */
  beside?: (context: WorkerContext) => () => Promise<void>;
}

/** Which worker runs what. Every worker knows all workflows; a workflow runs where it is started. */
export const queues: Record<TaskQueue, QueueDefinition> = {
  orchestrator: {
    service: 'orchestrator',
    activities: orchestratorActivities,
    around: keepCalls,
    beside: sweepRuns,
  },
  refills: {
    service: 'orchestrator',
    activities: orchestratorActivities,
    // Few, so that a day of refills leaves approvals their share (bench/refills.ts).
    activitySlots: 2,
    around: keepCalls,
    prepare: ({ temporal, config }) => ensureDailyRefillCheck(temporal, config.BUSINESS_TIMEZONE),
  },
  router: { service: 'router', activities: routerActivities, prepare: startRelay('router', 'router') },
  // Mostly waiting for receivers, of which none gets more than a share (activities/router/callbacks.ts).
  callbacks: { service: 'router', activities: callbackActivities, activitySlots: 500 },
  notification: {
    service: 'notification',
    activities: notificationActivities,
    beside: sweepNotifications,
  },
  intake: { service: 'intake', activities: intakeActivities, prepare: startRelay('intake', 'intake') },
  intakeEmr: { service: 'intake', activities: intakeEmrActivities },
  organization: {
    service: 'organization',
    activities: organizationActivities,
    prepare: startRelay('organization', 'organization'),
  },
  patients: {
    service: 'patients',
    activities: patientsActivities,
    prepare: startRelay('patients', 'patients'),
    beside: sweepCreations,
  },
  bridge: { service: 'bridge', activities: bridgeActivities, prepare: startRelay('bridge', 'bridge') },
};

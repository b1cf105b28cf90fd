import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { EgressActivities } from '../activities/bridge/egress.js';
import type { AgeActivities } from '../activities/retention/retention.js';
import type { CallbackActivities } from '../activities/router/callbacks.js';
import { failureTypes } from '../domain/failures.js';
import type { PipelineStep } from '../domain/orchestrator/pipeline.js';
import {
  activityFailures,
  approvals,
  callbackAttempts,
  emrSyncs,
  payments,
  retentionRows,
  stepSeconds,
  stepWarnings,
  taskWaitSeconds,
} from '../platform/metrics.js';
import type { TaskQueue } from '../workflows/queues.js';
import type { orchestratorActivities } from './orchestrator/activities.js';

type OrchestratorActivities = ReturnType<typeof orchestratorActivities>;
type Recording = OrchestratorActivities & EgressActivities & CallbackActivities & AgeActivities;

/**
 * Metrics to increment when an activity has recorded a result. A repeat after a lost response counts again, so use them
 * for rates. The tables have exact numbers.
 */
const counted: {
  [K in keyof Recording]?: (
    input: Parameters<Recording[K]>[0],
    result: Awaited<ReturnType<Recording[K]>>,
  ) => void;
} = {
  recordOutcome: ({ result, refill }) => {
    const outcome = result.success ? 'completed' : 'failed';
    approvals.inc({ kind: refill ? 'refill' : 'approval', outcome, step: result.failedStep ?? 'none' });
    for (const warning of result.warnings) stepWarnings.inc({ step: warning.replace('_failed', '') });
  },
  chargeSavedCard: () => payments.inc({ outcome: 'succeeded' }),
  recordPayment: ({ outcome }) => payments.inc({ outcome: outcome.status }),
  recordSync: ({ verdict }) => emrSyncs.inc({ disposition: verdict.status }),
  recordCallbackAttempt: ({ verdict }) => callbackAttempts.inc({ outcome: verdict.state }),
  applyAge: ({ rule }, { count }) => retentionRows.inc({ rule }, count),
};

/** The activity that does the work of each step. */
const steps: Partial<Record<keyof OrchestratorActivities, PipelineStep>> = {
  claimTask: 'medication_config',
  fetchPatient: 'patient_details',
  resolvePrescriber: 'prescriber_resolution',
  submitToPharmacy: 'pharmacy_submission',
  chargeSavedCard: 'payment',
  shipOrder: 'shipment',
  notifyPatient: 'notification',
};

const knownTypes: ReadonlySet<string> = new Set(Object.values(failureTypes));

/** Measures an activity: wait for a slot, duration of its step, and failures. */
export const measuring = (queue: TaskQueue): ActivityInboundCallsInterceptor => ({
  async execute(input, next) {
    const { activityType, isLocal, scheduledTimestampMs, currentAttemptScheduledTimestampMs } =
      activityInfo();
    // A local activity does not wait in a queue.
    if (!isLocal) taskWaitSeconds.observe({ queue }, secondsSince(currentAttemptScheduledTimestampMs));
    try {
      const result = await next(input);
      const step = (steps as Record<string, PipelineStep | undefined>)[activityType];
      if (step) stepSeconds.observe({ step }, secondsSince(scheduledTimestampMs));
      const count = counted[activityType as keyof Recording] as
        ((input: unknown, result: unknown) => void) | undefined;
      count?.(input.args[0], result);
      return result;
    } catch (error) {
      const type = error instanceof ApplicationFailure ? (error.type ?? '') : '';
      if (activityType === 'chargeSavedCard' && type === failureTypes.declined)
        payments.inc({ outcome: 'failed' });
      activityFailures.inc({ queue, activity: activityType, type: knownTypes.has(type) ? type : 'other' });
      throw error;
    }
  },
});

/** Clocks of server and worker may differ, so the result is at least 0. */
const secondsSince = (epochMs: number): number => Math.max(0, Date.now() - epochMs) / 1_000;

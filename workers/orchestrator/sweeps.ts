import { listOpenChanges } from '../../db/orchestrator/cancellations.js';
import { listOverdueDunnings } from '../../db/orchestrator/dunning.js';
import { endBulkRetry, listRunningBulkRetries } from '../../db/orchestrator/bulk-retries.js';
import { closeTerminatedRun, listOpenDenials, listOpenRuns } from '../../db/orchestrator/runs.js';
import { finishDenial } from '../../db/orchestrator/tasks.js';
import { completedSteps } from '../../starts/orchestrator.js';
import { isRunning } from '../../starts/runs.js';
import { restartOrderChange } from '../../starts/order-changes.js';
import { recheckDunning } from '../../starts/dunning.js';
import { recoveryWorkflowId } from '../../workflows/ids.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';
import { stalledEvents } from '../publishing.js';

/** With the time between two sweeps well under the minute that D33 gives. */
const olderThanSeconds = 30;

const maxNudges = 500;

/** What the orchestrator looks for: records whose run was ended from outside and so could not close them itself (D33). */
export function orchestratorSweeps(context: WorkerContext): Sweep[] {
  const { sql, temporal, logger } = context;

  async function closeTerminatedRuns(): Promise<void> {
    for (const { id, workflowId } of await listOpenRuns(sql, olderThanSeconds)) {
      if (await isRunning(temporal, workflowId, id)) continue;
      const steps = await completedSteps(temporal, { workflowId, runId: id });
      await closeTerminatedRun(sql, id, steps ?? null);
      logger.warn({ runId: id }, 'closed the record of a run that was ended from outside');
    }
  }

  async function finishTerminatedDenials(): Promise<void> {
    for (const { id, workflowId } of await listOpenDenials(sql, olderThanSeconds)) {
      if (await isRunning(temporal, workflowId, id)) continue;
      await finishDenial(sql, id);
      logger.warn({ runId: id }, 'let later approvals through after a denial that was ended from outside');
    }
  }

  /** Unpaid charges whose run was never started, or was ended from outside (D107). */
  async function nudgeOverdueRecoveries(): Promise<void> {
    for (const unpaid of await listOverdueDunnings(sql, {
      overdueSeconds: olderThanSeconds,
      limit: maxNudges,
    }))
      await recheckDunning(temporal, unpaid);
  }

  /** A recovery whose run was ended from outside, or never started, is over: the rest may be asked for again (D112). */
  async function endLostRecoveries(): Promise<void> {
    for (const id of await listRunningBulkRetries(sql, olderThanSeconds)) {
      if (await isRunning(temporal, recoveryWorkflowId(id))) continue;
      await endBulkRetry(sql, id, 'cancelled');
      logger.warn({ runId: id }, 'ended a recovery whose run is gone');
    }
  }

  /** An order that is half taken back, or half moved, is not left so: the same run is begun again (D104, D105). */
  async function carryChangesOn(): Promise<void> {
    for (const change of await listOpenChanges(sql, olderThanSeconds))
      if (await restartOrderChange(temporal, change))
        logger.warn({ taskId: change.reference, reason: change.changing }, 'carried a change of an order on');
  }

  return [
    closeTerminatedRuns,
    finishTerminatedDenials,
    carryChangesOn,
    nudgeOverdueRecoveries,
    endLostRecoveries,
    stalledEvents(context, 'orchestrator'),
  ];
}

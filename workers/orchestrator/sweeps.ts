import { listOpenChanges } from '../../db/orchestrator/cancellations.js';
import { orchestratorDay } from '../../db/orchestrator/clock.js';
import { listOverdueDunnings } from '../../db/orchestrator/dunning.js';
import { endBulkRetry, listRunningBulkRetries } from '../../db/orchestrator/bulk-retries.js';
import { listOverdueEndpoints } from '../../db/orchestrator/event-endpoints.js';
import { closePrescriberGap, takePrescriberGaps } from '../../db/orchestrator/prescriber-gaps.js';
import { countOpenPlans, listOpenPlans } from '../../db/orchestrator/plan-checks.js';
import { listRunningReplacements } from '../../db/orchestrator/replacements.js';
import { listRunningStatements } from '../../db/orchestrator/statements.js';
import { closeTerminatedRun, listOpenDenials, listOpenRuns } from '../../db/orchestrator/runs.js';
import { finishDenial } from '../../db/orchestrator/tasks.js';
import { registryTimeoutMs } from '../../domain/orchestrator/prescribers.js';
import { ownServices } from '../../integrations/own-services.js';
import { createRegistryClient } from '../../integrations/registry/client.js';
import { completedSteps } from '../../starts/orchestrator.js';
import { isRunning } from '../../starts/runs.js';
import { restartOrderChange, restartReplacement } from '../../starts/order-changes.js';
import { recheckEndpoint } from '../../starts/event-endpoints.js';
import { recheckDunning } from '../../starts/dunning.js';
import { resumeStatement } from '../../starts/statements.js';
import { countFollowedPlans, followPlan, listFollowedPlans } from '../../starts/plans.js';
import { recoveryWorkflowId } from '../../workflows/ids.js';
import { overdue, type Sweep, type WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';
import { stalledEvents } from '../publishing.js';

// With the 10 s between sweeps this stays under the minute that D33 allows.
const { overdueSeconds: olderThanSeconds } = overdue;
/** All states have their turn in three sweeps, which is the 30 s of D122. */
const gapsPerSweep = 25;

export function orchestratorSweeps(context: WorkerContext): Sweep[] {
  const { config, sql, temporal, logger } = context;
  const own = config.service('orchestrator');
  const registry = createRegistryClient(ownServices(own).registry);

  async function closeTerminatedRuns(): Promise<void> {
    await eachRow(await listOpenRuns(sql, olderThanSeconds), async ({ id, workflowId }) => {
      if (await isRunning(temporal, workflowId, id)) return;
      const steps = await completedSteps(temporal, { workflowId, runId: id });
      await closeTerminatedRun(sql, id, steps ?? null, await orchestratorDay(context)());
      logger.warn({ runId: id }, 'closed the record of a terminated run');
    });
  }

  async function finishTerminatedDenials(): Promise<void> {
    await eachRow(await listOpenDenials(sql, olderThanSeconds), async ({ id, workflowId }) => {
      if (await isRunning(temporal, workflowId, id)) return;
      await finishDenial(sql, id);
      logger.warn({ runId: id }, 'allowed new approvals after a denial was terminated');
    });
  }

  /** Unpaid charges whose dunning workflow was terminated or never started (D107). */
  async function resumeOverdueDunnings(): Promise<void> {
    await eachRow(await listOverdueDunnings(sql, overdue), (unpaid) => recheckDunning(temporal, unpaid));
  }

  /**
   * Bulk retries whose workflow was terminated or never started. They end, and the caller may request the rest again
   * (D112).
   */
  async function endLostBulkRetries(): Promise<void> {
    await eachRow(await listRunningBulkRetries(sql, olderThanSeconds), async (id) => {
      if (await isRunning(temporal, recoveryWorkflowId(id))) return;
      await endBulkRetry(sql, id, 'cancelled');
      logger.warn({ runId: id }, 'ended a bulk retry whose workflow is gone');
    });
  }

  /** Cancellations and reroutes that stopped halfway. The same workflow is started again (D104, D105). */
  async function resumeOrderChanges(): Promise<void> {
    await eachRow(await listOpenChanges(sql, olderThanSeconds), async (change) => {
      if (await restartOrderChange(temporal, change))
        logger.warn({ taskId: change.reference, reason: change.changing }, 'resumed a change of an order');
    });
  }

  /** States without a prescriber for which the registry has one by now (D122). */
  async function closePrescriberGaps(): Promise<void> {
    const places = await takePrescriberGaps(sql, gapsPerSweep);
    await Promise.all(
      places.map(async (place) => {
        const found = await registry.route(place.platform, place.state, { timeoutMs: registryTimeoutMs });
        if (found) await closePrescriberGap(sql, place);
      }),
    );
  }

  /** Replacements whose run was lost, or never started (D120). */
  async function resumeReplacements(): Promise<void> {
    await eachRow(await listRunningReplacements(sql, olderThanSeconds), async (replacement) => {
      if (await restartReplacement(temporal, replacement))
        logger.warn({ taskId: replacement.reference }, 'resumed a replacement of an order');
    });
  }

  /** Endpoints with undelivered events whose run was terminated or missed its signal (D130). */
  async function resumeOverdueEndpoints(): Promise<void> {
    await eachRow(await listOverdueEndpoints(sql, overdue), (client) => recheckEndpoint(temporal, client));
  }

  /** Statements whose run was lost, or never started (D133). */
  async function resumeStatements(): Promise<void> {
    await eachRow(await listRunningStatements(sql, olderThanSeconds), async (statement) => {
      if (await resumeStatement(temporal, statement))
        logger.warn({ runId: statement.id }, 'resumed the reconciliation of a statement');
    });
  }

  /** Open plans without their run, which was terminated or lost (D128). */
  async function followLostPlans(): Promise<void> {
    if ((await countOpenPlans(sql)) === (await countFollowedPlans(temporal))) return;
    const followed = await listFollowedPlans(temporal);
    const lost = (await listOpenPlans(sql, olderThanSeconds)).filter(({ id }) => !followed.has(id));
    await eachRow(lost.slice(0, overdue.limit), (plan) => followPlan(temporal, plan));
    if (lost.length > 0) logger.warn({ count: lost.length }, 'started the runs of plans that had none');
  }

  return [
    closeTerminatedRuns,
    followLostPlans,
    finishTerminatedDenials,
    resumeOrderChanges,
    resumeReplacements,
    resumeStatements,
    resumeOverdueDunnings,
    endLostBulkRetries,
    resumeOverdueEndpoints,
    closePrescriberGaps,
    stalledEvents(context, 'orchestrator'),
  ];
}

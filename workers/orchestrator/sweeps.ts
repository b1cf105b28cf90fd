import { closeTerminatedRun, listOpenDenials, listOpenRuns } from '../../db/orchestrator/runs.js';
import { finishDenial } from '../../db/orchestrator/tasks.js';
import { isRunning } from '../../starts/begin.js';
import type { WorkerContext } from '../context.js';
import { sweepEvery } from '../sweep-every.js';

// Together under the minute that D33 gives, with room for the sweep itself.
const sweepEveryMs = 20_000;
const olderThanSeconds = 30;

/**
 * Closes the records of runs whose workflow was ended from outside and so could not close them itself (D33). Runs in
 * every orchestrator worker; that two may look at the same run does no harm.
 * @returns a function that stops it
 */
export function sweepRuns({ sql, temporal, logger }: WorkerContext): () => Promise<void> {
  return sweepEvery({ everyMs: sweepEveryMs, what: 'open runs', logger }, sweep);

  async function sweep(): Promise<void> {
    for (const { id, workflowId } of await listOpenRuns(sql, olderThanSeconds)) {
      if (await isRunning(temporal, workflowId, id)) continue;
      await closeTerminatedRun(sql, id);
      logger.warn({ runId: id }, 'closed the record of a run that was ended from outside');
    }
    for (const { id, workflowId } of await listOpenDenials(sql, olderThanSeconds)) {
      if (await isRunning(temporal, workflowId, id)) continue;
      await finishDenial(sql, id);
      logger.warn({ runId: id }, 'let later approvals through after a denial that was ended from outside');
    }
  }
}

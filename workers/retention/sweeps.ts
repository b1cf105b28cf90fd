import { listRunningErasures } from '../../db/retention/erasures.js';
import { isRunning } from '../../starts/runs.js';
import { beginErasure } from '../../starts/retention.js';
import { erasureWorkflowId } from '../../workflows/ids.js';
import type { Sweep, WorkerContext } from '../context.js';

/** Starting a workflow takes less than this. */
const openSeconds = 10;

export const retentionSweeps = ({ sql, temporal, logger }: WorkerContext): Sweep[] => [
  async function resumeErasures() {
    for (const id of await listRunningErasures(sql, openSeconds)) {
      if (await isRunning(temporal, erasureWorkflowId(id))) continue;
      await beginErasure(temporal, id);
      logger.warn('restarted an erasure whose workflow was terminated');
    }
  },
];

import { listRunningErasures } from '../../db/retention/erasures.js';
import { isRunning } from '../../starts/runs.js';
import { beginErasure } from '../../starts/retention.js';
import { erasureWorkflowId } from '../../workflows/ids.js';
import type { Sweep, WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';

/** Starting a workflow takes less than this. */
const openSeconds = 10;

export const retentionSweeps = ({ sql, temporal, logger }: WorkerContext): Sweep[] => [
  async function resumeErasures() {
    await eachRow(await listRunningErasures(sql, openSeconds), async (id) => {
      if (await isRunning(temporal, erasureWorkflowId(id))) return;
      await beginErasure(temporal, id);
      logger.warn('restarted an erasure whose workflow was terminated');
    });
  },
];

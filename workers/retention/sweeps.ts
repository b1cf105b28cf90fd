import { listRunningErasures } from '../../db/retention/erasures.js';
import { isRunning } from '../../starts/runs.js';
import { beginErasure } from '../../starts/retention.js';
import { erasureWorkflowId } from '../../workflows/ids.js';
import type { Sweep } from '../beside.js';
import type { WorkerContext } from '../context.js';

/** Longer than the start of a run takes. */
const askedForSeconds = 10;

/** What the retention looks for: erasures that were left without their run. */
export const retentionSweeps = ({ sql, temporal, logger }: WorkerContext): Sweep[] => [
  async function resumeErasures() {
    for (const id of await listRunningErasures(sql, askedForSeconds)) {
      if (await isRunning(temporal, erasureWorkflowId(id))) continue;
      await beginErasure(temporal, id);
      logger.warn('began an erasure again whose run was ended from outside');
    }
  },
];

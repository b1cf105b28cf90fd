import type { Client } from '@temporalio/client';
import type { Run } from '../../db/orchestrator/runs.js';
import { completedSteps } from '../../starts/orchestrator.js';

/** Adds the completed steps of running workflows, read by query (D33). */
export const withProgress = <T extends Pick<Run, 'id' | 'workflowId' | 'status' | 'completedSteps'>>(
  temporal: Client,
  runs: readonly T[],
): Promise<T[]> =>
  Promise.all(
    runs.map(async (run) => {
      if (run.status !== 'pending') return run;
      const steps = await completedSteps(temporal, { workflowId: run.workflowId, runId: run.id });
      return { ...run, completedSteps: steps ?? run.completedSteps };
    }),
  );

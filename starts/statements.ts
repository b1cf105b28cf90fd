import type { Client } from '@temporalio/client';
import { statementWorkflowId } from '../workflows/ids.js';
import { sweeps } from './priorities.js';
import { isRunning, startOrJoin } from './runs.js';

interface PostedStatement {
  id: string;
  pharmacy: string;
}

/** Reconciles a statement (D133). */
export const reconcileStatement = (temporal: Client, { id, pharmacy }: PostedStatement, withinMs: number) =>
  startOrJoin(
    temporal,
    {
      workflow: 'reconcileStatement',
      id: statementWorkflowId(id),
      queue: 'orchestrator',
      args: [{ statementId: id }],
      priority: sweeps,
      summary: `Statement of ${pharmacy}`,
    },
    withinMs,
  );

/** Starts the run of a statement that has none. @returns whether it had none */
export async function resumeStatement(temporal: Client, statement: PostedStatement): Promise<boolean> {
  if (await isRunning(temporal, statementWorkflowId(statement.id))) return false;
  await reconcileStatement(temporal, statement, 0);
  return true;
}

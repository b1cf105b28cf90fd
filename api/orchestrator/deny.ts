import { ApplicationFailure, WorkflowFailedError } from '@temporalio/client';
import { failureTypes } from '../../domain/failures.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { idPart } from '../../platform/crypto/ids.js';
import type { denyPrescription } from '../../workflows/orchestrator/deny-prescription.js';
import { denialWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import { rxTask } from '../../workflows/search-attributes.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-error.js';
import type { DenyRequest } from './contract.js';

/**
 * Denies a task; repeated, it joins the denial under way or says that it is done (D32).
 * @returns whether the task had been denied before
 * @throws HttpError 409 when an approval holds the task
 */
export async function deny(
  { sql, temporal }: Pick<ServiceContext, 'sql' | 'temporal'>,
  request: DenyRequest,
): Promise<{ repeated: boolean }> {
  const { taskId, reason, emrPatientId } = request;
  const task = await findTask(sql, taskId);
  if (task?.state === 'denied') return { repeated: true };
  try {
    return await temporal.workflow.execute<typeof denyPrescription>('denyPrescription', {
      workflowId: denialWorkflowId(idPart(taskId)),
      taskQueue: taskQueues.orchestrator,
      // The claimed row decides whether there is anything to do, not the id of a run that has ended.
      workflowIdConflictPolicy: 'USE_EXISTING',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
      requestEagerStart: true,
      args: [
        {
          taskId,
          ...(reason === undefined ? {} : { reason }),
          ...(emrPatientId === undefined ? {} : { emrPatientId }),
        },
      ],
      typedSearchAttributes: [{ key: rxTask, value: taskId }],
      staticSummary: `Deny · task ${taskId}`,
    });
  } catch (error) {
    const cause = error instanceof WorkflowFailedError ? error.cause : undefined;
    if (cause instanceof ApplicationFailure && cause.type === failureTypes.taskConflict)
      throw new HttpError(409, { error: cause.message });
    throw error;
  }
}

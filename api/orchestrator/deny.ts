import { findTask } from '../../db/orchestrator/tasks.js';
import { failureTypes } from '../../domain/failures.js';
import * as starts from '../../starts/orchestrator.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict } from '../http-errors.js';
import type { DenyRequest } from './contract.js';

/** Above what telling the patient may take up: beyond it an outage of our own keeps the answer away. */
const answerWithinMs = 90_000;

/**
 * Denies a task; repeated, it joins the denial under way or says that it is done (D32).
 * @returns whether the task had been denied before
 * @throws Refused 409 when an approval holds the task, 503 when the end is not known here
 */
export async function deny(
  { sql, temporal }: ServiceContext,
  { taskId, reason, emrPatientId }: DenyRequest,
  requestedBy: string,
): Promise<{ repeated: boolean }> {
  const task = await findTask(sql, taskId);
  if (task?.state === 'denied') return { repeated: true };
  const denial = {
    taskId,
    requestedBy,
    ...(reason === undefined ? {} : { reason }),
    ...(emrPatientId === undefined ? {} : { emrPatientId }),
  };
  const outcome = await starts.deny(temporal, denial, answerWithinMs);
  const end = endOf(outcome, { what: 'denial', ids: { taskId } });
  if (end.state === 'completed') return end.result;
  const { type, message } = end.failure;
  throw type === failureTypes.taskConflict ? conflict(message) : runFailed(end.failure);
}

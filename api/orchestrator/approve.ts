import {
  ApplicationFailure,
  type Client,
  TerminatedFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  type WorkflowHandle,
} from '@temporalio/client';
import { staticMedication } from '../../domain/orchestrator/medications.js';
import { type PipelineResult, pipelineSteps } from '../../domain/orchestrator/pipeline.js';
import { failureTypes } from '../../domain/failures.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findResult, listRunsOfTask } from '../../db/orchestrator/runs.js';
import { findTask, terminatedText } from '../../db/orchestrator/tasks.js';
import { idPart, jsonHash } from '../../platform/crypto/ids.js';
import type { approvePrescription } from '../../workflows/orchestrator/approve-prescription.js';
import { approvalWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import { rxTask } from '../../workflows/search-attributes.js';
import type { Sql } from '../../db/client.js';
import type { ServiceContext } from '../context.js';
import { HttpError } from '../http-error.js';
import type { ApproveRequest } from './contract.js';

export type ApprovalAnswer =
  { kind: 'finished'; result: PipelineResult; replayed: boolean } | { kind: 'accepted'; runId: string };

type Approvals = Pick<ServiceContext, 'sql' | 'temporal'>;
type ApprovalHandle = WorkflowHandle<typeof approvePrescription>;

/**
 * Approves a task: starts its run, joins the one that is under way, or gives the recorded answer (D32).
 * @param waitMs a run unfinished after this is answered with where to ask for it (D34); 0 answers at once
 * @throws HttpError 409 when the task is held with other details, or is being denied
 */
export async function approve(
  context: Approvals,
  request: ApproveRequest,
  waitMs: number,
): Promise<ApprovalAnswer> {
  const { taskId, medication, emrPatientId, dosage } = request;
  const detailsHash = jsonHash({ medication, emrPatientId, dosage });
  const recorded = await recordedAnswer(context, taskId, detailsHash);
  if (recorded) return recorded;

  const handle = await startOrJoin(context.temporal, request, detailsHash);
  if (handle === 'closed')
    return (await recordedAnswer(context, taskId, detailsHash)) ?? approve(context, request, waitMs);
  if (waitMs > 0) {
    const result = await resultWithin(context, request, handle, waitMs);
    if (result) return { kind: 'finished', result, replayed: false };
  }
  return { kind: 'accepted', runId: handle.firstExecutionRunId };
}

/** What the task's row already settles, without asking Temporal; the run's own claim is what decides. */
async function recordedAnswer(
  { sql }: Approvals,
  taskId: string,
  detailsHash: string,
): Promise<ApprovalAnswer | undefined> {
  const task = await findTask(sql, taskId);
  if (task?.kind === 'deny' && task.state === 'running')
    throw new HttpError(409, { error: 'Task is being denied' });
  if (task?.kind !== 'approve' || task.state === 'failed') return undefined;
  if (task.detailsHash !== detailsHash) throw conflict();
  if (task.state !== 'completed') return undefined;
  const result = await findResult(sql, task.runId);
  return result && { kind: 'finished', result, replayed: true };
}

interface JoinedHandle {
  handle: ApprovalHandle;
  firstExecutionRunId: string;
}

/** The run of this task: a new one, or the one that is open; `closed` when it has ended well in the meantime. */
async function startOrJoin(
  temporal: Client,
  { taskId, medication, emrPatientId, dosage }: ApproveRequest,
  detailsHash: string,
): Promise<JoinedHandle | 'closed'> {
  const workflowId = approvalWorkflowId(idPart(taskId));
  try {
    const handle = await temporal.workflow.start<typeof approvePrescription>('approvePrescription', {
      workflowId,
      taskQueue: taskQueues.orchestrator,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      requestEagerStart: true,
      args: [{ taskId, medication, emrPatientId, ...(dosage === undefined ? {} : { dosage }), detailsHash }],
      memo: { detailsHash },
      typedSearchAttributes: [{ key: rxTask, value: taskId }],
      staticSummary: `Approve ${medication} · task ${taskId}`,
      staticDetails: `**Task** ${taskId}\n\n**Medication** ${medication}`,
    });
    return { handle, firstExecutionRunId: handle.firstExecutionRunId };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const open = await temporal.workflow.getHandle<typeof approvePrescription>(workflowId).describe();
  if (open.memo?.['detailsHash'] !== detailsHash) throw conflict();
  if (open.status.name !== 'RUNNING') return 'closed';
  const firstExecutionRunId = open.raw.workflowExecutionInfo?.firstRunId ?? open.runId;
  return { handle: temporal.workflow.getHandle(workflowId, open.runId), firstExecutionRunId };
}

/** The run's result, a failed one's too; undefined when it takes longer than a caller should wait. */
async function resultWithin(
  { sql, temporal }: Approvals,
  request: ApproveRequest,
  { handle, firstExecutionRunId }: JoinedHandle,
  waitMs: number,
): Promise<PipelineResult | undefined> {
  const deadline = Date.now() + waitMs;
  try {
    return await temporal.withDeadline(deadline, () => handle.result());
  } catch (error) {
    if (Date.now() >= deadline) return undefined;
    if (error instanceof WorkflowFailedError && error.cause instanceof TerminatedFailure)
      return terminatedResult(sql, request, firstExecutionRunId);
    return resultOfFailure(error);
  }
}

/** What is known of a run that an operator ended from outside: how far its record says it came (D33). */
async function terminatedResult(
  sql: Sql,
  { taskId, medication }: ApproveRequest,
  runId: string,
): Promise<PipelineResult> {
  const runs = await listRunsOfTask(sql, taskId);
  const completedSteps = runs.find(({ id }) => id === runId)?.completedSteps ?? [];
  const config = (await findMedicationConfig(sql, medication)) ?? staticMedication(medication);
  return {
    success: false,
    completedSteps,
    failedStep: pipelineSteps.find((step) => !completedSteps.includes(step)) ?? 'notification',
    error: terminatedText,
    warnings: [],
    medication: config?.displayName ?? medication,
    patientName: '',
    state: '',
  };
}

/** @throws HttpError 409 for a task held otherwise; what it cannot tell, as it came */
function resultOfFailure(error: unknown): PipelineResult {
  if (error instanceof WorkflowFailedError && error.cause instanceof ApplicationFailure) {
    const { type, message, details } = error.cause;
    if (type === failureTypes.taskConflict) throw new HttpError(409, { error: message });
    if (type === failureTypes.stepFailed && details?.[0]) return details[0] as PipelineResult;
  }
  throw error;
}

const conflict = () => new HttpError(409, { error: 'Task already approved with different details' });

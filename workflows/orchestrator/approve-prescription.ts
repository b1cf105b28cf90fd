import { workflowInfo } from '@temporalio/workflow';
import type { AccessEvent } from '../../domain/access-events.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { claimAndRun } from './claim-and-run.js';
import type { SettledOrder } from './pipeline.js';

export interface Approval {
  taskId: string;
  medication: string;
  emrPatientId: string;
  dosage?: string;
  /** A repeat with another hash is rejected (D32). */
  detailsHash: string;
  /** The API request's access event, recorded with the claim (D88). */
  access?: AccessEvent;
  /** The order of an earlier run that turned out to exist: this run resumes at step 5 (D114). */
  settled?: SettledOrder;
}

/**
 * Approves a task, exactly once (D32).
 * @throws TaskConflict if another request holds it; StepFailed with the recorded result after a failed blocking step
 */
export function approvePrescription(approval: Approval): Promise<PipelineResult> {
  const { access, ...approved } = approval;
  const { taskId, medication, emrPatientId, dosage, detailsHash, settled } = approved;
  const requestedBy = access?.actor ?? settled?.requestedBy;
  const { firstExecutionRunId: runId, workflowId } = workflowInfo();
  const claim = { kind: 'approve' as const, reference: taskId, taskId, runId, workflowId, detailsHash };
  return claimAndRun(
    { ...claim, medication, emrPatientId, dosage, requestedBy, access, isMoved: settled?.isMoved },
    { ...approved, requestedBy, runId, reference: taskId },
  );
}

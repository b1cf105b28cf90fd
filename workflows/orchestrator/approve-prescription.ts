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
  /** Of what is approved: a repeat with other details is refused (D32). */
  detailsHash: string;
  /** Of whoever asked, where it was over the API; noted with the claim (D88). */
  access?: AccessEvent;
  /** The order that an earlier run has made, as it turned out: carried on from step 5 (D114). */
  settled?: SettledOrder;
}

/**
 * One approval of a task, run once however often it is asked for (D32).
 * @throws TaskConflict when the task is held otherwise; StepFailed with the recorded result when a blocking step
 * failed, so that the run is red
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

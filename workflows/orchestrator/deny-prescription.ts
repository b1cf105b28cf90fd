import { CancellationScope, log, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { DenialActivities } from '../../activities/orchestrator/tasks.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import { notifying } from './notifying.js';
import { failureOf, localFirst, ownTransactions } from '../proxies.js';

export interface Denial {
  taskId: string;
  reason?: string;
  emrPatientId?: string;
  /** The key of whoever asked (D88). */
  requestedBy?: string;
}

const records = ownTransactions<DenialActivities>();
// Telling the patient is best effort: the EMR gets about 12 s.
const reads = localFirst<PatientActivities>({
  startToCloseTimeout: '3500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});

/**
 * Denies a task: the denial is recorded, then the patient is told if that can be (page 1, deny).
 * @returns whether it had been denied before
 * @throws TaskConflict when an approval holds the task
 */
export async function denyPrescription(denial: Denial): Promise<{ repeated: boolean }> {
  return CancellationScope.nonCancellable(() => deny(denial));
}

async function deny({ taskId, reason, emrPatientId, requestedBy }: Denial): Promise<{ repeated: boolean }> {
  const { firstExecutionRunId: runId, workflowId } = workflowInfo();
  const claim = { taskId, runId, workflowId, emrPatientId: emrPatientId ?? null, requestedBy };
  if (!(await records('Record the denial').claimDenial(claim))) return { repeated: true };

  try {
    if (emrPatientId === undefined) throw new Error('no patient was named');
    const contact = await reads('Find patient in EMR').fetchContact({ emrPatientId });
    await notifying('Notify patient').notifyPatient({
      type: 'prescription_denied',
      reference: runId,
      contact,
      variables: { reason: reason ?? '' },
    });
    setCurrentDetails('**Denied**, the patient was told.');
  } catch (error) {
    const why = emrPatientId === undefined ? 'No patient was named.' : failureOf(error).message;
    log.warn('the patient was not told of a denial', { reason: why });
    setCurrentDetails(`**Denied**, the patient was not told: ${why}`);
  }
  await records('Let later approvals through').finishDenial({ runId });
  return { repeated: false };
}

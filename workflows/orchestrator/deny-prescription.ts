import { CancellationScope, log, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { DenialActivities } from '../../activities/orchestrator/tasks.js';
import { failureOf, ownTransactions } from '../proxies.js';
import { notifying, patientBriefly } from './proxies.js';

export interface Denial {
  taskId: string;
  reason?: string;
  emrPatientId?: string;
  /** The caller's key (D88). */
  requestedBy?: string;
}

const records = ownTransactions<DenialActivities>();

/**
 * Records a denial, then notifies the patient if possible (page 1, deny).
 * @returns `repeated` if the task was already denied
 * @throws TaskConflict if an approval holds the task
 */
export function denyPrescription(denial: Denial): Promise<{ repeated: boolean }> {
  return CancellationScope.nonCancellable(() => deny(denial));
}

async function deny({ taskId, reason, emrPatientId, requestedBy }: Denial): Promise<{ repeated: boolean }> {
  const { firstExecutionRunId: runId, workflowId } = workflowInfo();
  const claim = { taskId, runId, workflowId, emrPatientId: emrPatientId ?? null, requestedBy };
  if (!(await records('Record the denial').claimDenial(claim))) return { repeated: true };

  try {
    if (emrPatientId === undefined) throw new Error('no patient was named');
    const contact = await patientBriefly('Find patient in EMR').fetchContact({ emrPatientId });
    await notifying('Notify patient').notifyPatient({
      type: 'prescription_denied',
      reference: runId,
      contact,
      variables: { reason: reason ?? '' },
    });
    setCurrentDetails('**Denied**, the patient was notified.');
  } catch (error) {
    const why = emrPatientId === undefined ? 'No patient was named.' : failureOf(error).message;
    log.warn('the patient was not notified of a denial', { reason: why });
    setCurrentDetails(`**Denied**, the patient was not notified: ${why}`);
  }
  await records('Release the task').finishDenial({ runId });
  return { repeated: false };
}

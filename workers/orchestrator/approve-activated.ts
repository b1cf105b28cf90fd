import type { MedicationRequest } from 'fhir/r4.js';
import { detailOf, type EventHandler } from '../../activities/events/deliveries.js';
import { type EmrEvent, isEmrEventKnown, recordEmrEvent } from '../../db/orchestrator/emr-events.js';
import { findActiveMedication } from '../../db/orchestrator/medication-configs.js';
import { requestedApproval, taskOf, type Unstarted } from '../../domain/orchestrator/emr-approval.js';
import { isTaskId, maxDosageLength } from '../../domain/orchestrator/pipeline.js';
import { type ApprovalRequest, approve } from '../../starts/orchestrator.js';
import type { WorkerContext } from '../context.js';
import { activated } from './event-details.js';

/**
 * Approves the task of a prescription activated in the EMR where that is allowed; else it is only recorded (D44). An
 * approval over HTTP joins the same run. Idempotent by the event's id and by the task.
 */
export function approveActivated(context: WorkerContext): EventHandler {
  const { sql, config, logger } = context;
  const { MRN_SYSTEM_URI, AUTO_APPROVE_FROM_EMR } = config.service('orchestrator');

  return async (event) => {
    const { emrEventName, resource: received } = detailOf(event, activated);
    const resource = received as Partial<MedicationRequest>;
    const taskId = taskOf(resource, `${MRN_SYSTEM_URI}/task`);
    if (taskId === undefined || (await isEmrEventKnown(sql, event.id))) return;
    const outcome = AUTO_APPROVE_FROM_EMR ? await start(taskId, resource) : { outcome: 'recorded' as const };
    await recordEmrEvent(sql, { eventId: event.id, taskId, event: emrEventName, ...outcome });
  };

  /** Starts nothing if the request cannot be approved as it is, or something else holds the task. */
  async function start(
    taskId: string,
    resource: Partial<MedicationRequest>,
  ): Promise<Pick<EmrEvent, 'outcome' | 'unstarted'>> {
    const request = isTaskId(taskId) ? await approvalOf(taskId, resource) : undefined;
    if (request === undefined || typeof request === 'string') {
      const reason = request ?? 'invalid_task_id';
      logger.warn({ taskId, reason }, 'an activated prescription starts no approval');
      return { outcome: 'recorded', unstarted: request };
    }
    const outcome = await approve(context, request, 0);
    if (outcome.state !== 'held') return { outcome: 'approval_started' };
    logger.warn({ taskId, reason: outcome.why }, 'an activated prescription starts no approval');
    return { outcome: 'recorded' };
  }

  /** The request as a client would send it, or why there is none. */
  async function approvalOf(
    taskId: string,
    resource: Partial<MedicationRequest>,
  ): Promise<ApprovalRequest | Unstarted> {
    const { isForbidden, emrPatientId, medicationKeys, dosage } = requestedApproval(resource);
    if (isForbidden) return 'do_not_perform';
    if (emrPatientId === undefined) return 'patient_unreadable';
    if (dosage === null || (dosage?.length ?? 0) > maxDosageLength) return 'directions_unreadable';
    for (const medication of medicationKeys)
      if (await findActiveMedication(sql, medication))
        return { taskId, medication, emrPatientId, ...(dosage ? { dosage } : {}) };
    return 'medication_unreadable';
  }
}

import type { MedicationRequest } from 'fhir/r4.js';
import { detailOf, type EventHandler } from '../../activities/events/deliveries.js';
import { isEmrEventKnown, recordEmrEvent } from '../../db/orchestrator/emr-events.js';
import { findActiveMedication } from '../../db/orchestrator/medication-configs.js';
import { requestedApproval, taskOf } from '../../domain/orchestrator/emr-approval.js';
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
    const isStarted = AUTO_APPROVE_FROM_EMR && (await start(taskId, resource));
    await recordEmrEvent(sql, {
      eventId: event.id,
      taskId,
      event: emrEventName,
      outcome: isStarted ? 'approval_started' : 'recorded',
    });
  };

  /** @returns false if the request lacks data or something else holds the task */
  async function start(taskId: string, resource: Partial<MedicationRequest>): Promise<boolean> {
    const request = await approvalOf(taskId, resource);
    if (!request) {
      logger.warn({ taskId, reason: 'incomplete' }, 'an activated prescription starts no approval');
      return false;
    }
    const outcome = await approve(context, request, 0);
    if (outcome.state !== 'held') return true;
    logger.warn({ taskId, reason: outcome.why }, 'an activated prescription starts no approval');
    return false;
  }

  /** The request as a client would send it; undefined if a client's request would be rejected. */
  async function approvalOf(
    taskId: string,
    resource: Partial<MedicationRequest>,
  ): Promise<ApprovalRequest | undefined> {
    const { emrPatientId, medicationKeys, dosage } = requestedApproval(resource);
    if (emrPatientId === undefined || !isTaskId(taskId) || (dosage?.length ?? 0) > maxDosageLength)
      return undefined;
    for (const medication of medicationKeys)
      if (await findActiveMedication(sql, medication))
        return { taskId, medication, emrPatientId, ...(dosage ? { dosage } : {}) };
    return undefined;
  }
}

import type { MedicationRequest } from 'fhir/r4.js';
import { z } from 'zod';
import type { EventHandler } from '../../activities/events/deliveries.js';
import { refuse } from '../../activities/failures.js';
import { isEmrEventKnown, recordEmrEvent } from '../../db/orchestrator/emr-events.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { isTaskId, maxDosageLength } from '../../domain/orchestrator/approval.js';
import { requestedApproval, taskOf } from '../../domain/orchestrator/emr-approval.js';
import { failureTypes } from '../../domain/failures.js';
import { staticMedication } from '../../domain/orchestrator/medications.js';
import { type ApprovalRequest, approve } from '../../starts/orchestrator.js';
import type { WorkerContext } from '../context.js';

const text = z.string().optional();
const activated = z.object({
  emrEventName: z.string(),
  resource: z.looseObject({
    identifier: z.array(z.looseObject({ system: text, value: text })).optional(),
    subject: z.looseObject({ reference: text }).optional(),
    medicationCodeableConcept: z
      .looseObject({ text, coding: z.array(z.looseObject({ code: text })).optional() })
      .optional(),
    dosageInstruction: z.array(z.looseObject({ text })).optional(),
  }),
});

/**
 * A prescription that is activated in the EMR under a task's identifier approves that task where that is allowed;
 * else it is only recorded (D44). The approval is the same as one that is asked for over HTTP, so that either finds
 * the other's run. Idempotent by the event's id, and the start by the task.
 */
export function consumeRequestActivated(context: WorkerContext): EventHandler {
  const { sql, config, logger } = context;
  const { MRN_SYSTEM_URI, AUTO_APPROVE_FROM_EMR } = config.service('orchestrator');

  return async ({ id: eventId, detailType, detail }) => {
    const { data } = activated.safeParse(detail);
    if (!data) throw refuse(failureTypes.rejected, `${detailType} has no resource that can be read`);
    const resource = data.resource as Partial<MedicationRequest>;
    const taskId = taskOf(resource, `${MRN_SYSTEM_URI}/task`);
    if (taskId === undefined || (await isEmrEventKnown(sql, eventId))) return;
    const isStarted = AUTO_APPROVE_FROM_EMR && (await start(taskId, resource));
    await recordEmrEvent(sql, {
      eventId,
      taskId,
      event: data.emrEventName,
      outcome: isStarted ? 'approval_started' : 'recorded',
    });
  };

  /** @returns false when the request does not say enough, or the task is held otherwise */
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

  /** The request as a client would have sent it; undefined when a client's would have been refused. */
  async function approvalOf(
    taskId: string,
    resource: Partial<MedicationRequest>,
  ): Promise<ApprovalRequest | undefined> {
    const { emrPatientId, medicationKeys, dosage } = requestedApproval(resource);
    if (emrPatientId === undefined || !isTaskId(taskId) || (dosage?.length ?? 0) > maxDosageLength)
      return undefined;
    for (const medication of medicationKeys)
      if (staticMedication(medication) ?? (await findMedicationConfig(sql, medication)))
        return { taskId, medication, emrPatientId, ...(dosage ? { dosage } : {}) };
    return undefined;
  }
}

import { ApplicationFailure } from '@temporalio/common';
import type { MedicationRequest } from 'fhir/r4.js';
import { z } from 'zod';
import { calling, callLimits } from '../../activities/calls.js';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import { applyHoldDirections } from '../../db/orchestrator/directions.js';
import { isEmrEventKnown, recordEmrEvent } from '../../db/orchestrator/emr-events.js';
import { findActiveMedication } from '../../db/orchestrator/medication-configs.js';
import { findReportedOrder } from '../../db/orchestrator/orders.js';
import { chargeToNewCard, findDunning } from '../../db/orchestrator/dunning.js';
import { takeIntakeProfile } from '../../db/orchestrator/payment-profiles.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { findUnknownOrderRun, recordNoOrder } from '../../db/orchestrator/unknown-orders.js';
import { isTaskId, maxDosageLength } from '../../domain/orchestrator/pipeline.js';
import { failureTypes } from '../../domain/failures.js';
import { requestedApproval, taskOf } from '../../domain/orchestrator/emr-approval.js';
import type {
  DirectionsChanged,
  OrderSettled,
  PaymentProfileSaved,
  RerouteAsked,
} from '../../domain/events.js';
import { maxDaysSupply } from '../../domain/orchestrator/refills.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { type ApprovalRequest, approve, resumeFailedRun } from '../../starts/orchestrator.js';
import { rerouteOrder } from '../../starts/order-changes.js';
import { recheckDunning } from '../../starts/dunning.js';
import type { OrderClient } from '../../integrations/router/orders.js';
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

const profileSaved: z.ZodType<PaymentProfileSaved> = z.object({
  submissionId: z.string(),
  emrPatientId: z.string(),
  customerId: z.string(),
  paymentMethodId: z.string(),
  couponCode: z.string().nullable(),
  planAmountCents: z.int(),
  intakeType: z.string().nullable().default(null),
  // Older events lack it.
  emailProven: z.boolean().default(false),
  savedAt: z.iso.datetime(),
});

const recoveryDue = z.object({ reference: z.string() });

export const orchestratorEvents = (
  context: WorkerContext,
  services: PatientNotifier &
    Pick<CancellationActivities, 'readOrderCancellation'> & { orders: Pick<OrderClient, 'readChange'> },
): Handlers<'orchestrator'> => ({
  'emr.medication_request.activated': approveActivated(context),

  /**
   * An order whose existence was unknown is reconciled (D114). If it exists, the failed run resumes from step 5; else a
   * work item opens. Idempotent: only the failed run that holds the task resumes, once.
   */
  'order.settled': async (event) => {
    const { submissionId, clientId, sourceOrderId, ...order } = detailOf(event, orderSettled);
    if (clientId !== context.config.service('orchestrator').ORCHESTRATOR_API_KEY) return;
    const failed = await findUnknownOrderRun(context.sql, submissionId);
    const { pharmacy, pharmacyOrderId } = order;
    if (!failed) {
      // The run may be about to fail, so the event is retried. A run that continues asks the router itself.
      if ((await findTask(context.sql, sourceOrderId))?.state === 'running')
        throw new Error('A run of the order is under way');
    } else if ((await findTask(context.sql, failed.reference))?.changing) {
      throw new Error('The order is being canceled or rerouted');
    } else if (pharmacyOrderId === null) {
      await recordNoOrder(context.sql, failed, submissionId);
    } else {
      // The router is canceling the order, so it must not be charged first and refunded later.
      const { state } = await services.readOrderCancellation({ submissionId });
      if (state === 'pending') throw new Error('The pharmacy is being asked to cancel the order');
      if (state === 'approved') return;
      await resumeFailedRun(context.temporal, failed, { submissionId, pharmacy, pharmacyOrderId });
    }
  },

  /**
   * Makes the card saved at intake the one to charge (D37, D64). It replaces another card only with a verified address;
   * then the patient is notified (D86) and the amount owed is charged (D107).
   * Idempotent by the card and the time it was saved; the patient is notified once per card.
   */
  'intake.payment_profile_saved': async (event) => {
    const saved = detailOf(event, profileSaved);
    const { emrPatientId, customerId, paymentMethodId, couponCode, planAmountCents, emailProven } = saved;
    const agreed = { couponId: couponCode, amountCents: planAmountCents, intakeType: saved.intakeType };
    const savedAt = new Date(saved.savedAt);
    const taken = await context.sql.begin(async (sql) => {
      const profile = { customerId, paymentMethodId, ...agreed, currency: 'usd' };
      const taken = await takeIntakeProfile(sql, emrPatientId, profile, { savedAt, emailProven });
      if (taken && emailProven) await chargeToNewCard(sql, emrPatientId, savedAt);
      return taken;
    });
    if (typeof taken?.replacedPaymentMethodId === 'string')
      await notifyOfNewCard(context, services, {
        emrPatientId,
        reference: `${saved.submissionId}:${paymentMethodId}`,
      });
  },

  /**
   * Reroutes an order as a work item's answer requests (D109). Idempotent: equal requests join, and the order moves
   * once.
   */
  'order.reroute_asked': async (event) => {
    const { sourceOrderId, pharmacy, requestedBy } = detailOf(event, rerouteAsked);
    const order = await findReportedOrder(context.sql, sourceOrderId);
    if (!order || order.isMoved) return;
    const { taskId, heldBy: reference } = order;
    await rerouteOrder(context.temporal, taskId, { reference, pharmacy, requestedBy }, 0);
  },

  /**
   * Applies directions that a pharmacy accepted to the refills after the order (D145). Idempotent by the hold. The
   * newest change of each field holds, whatever the order of the events.
   */
  'order.directions_changed': async (event) => {
    const { submissionId, clientId, sourceOrderId, holdId } = detailOf(event, directionsChanged);
    if (clientId !== context.config.service('orchestrator').ORCHESTRATOR_API_KEY) return;
    const order = await findReportedOrder(context.sql, sourceOrderId);
    const change =
      order && (await calling(() => services.orders.readChange(submissionId, holdId, callLimits())));
    if (!change) return;
    const { sig: dosage, quantity, daysSupply } = change.changes;
    await applyHoldDirections(context.sql, order, {
      submissionId,
      holdId,
      at: change.at,
      changes: { dosage, quantity, ...(daysSupply && { daysSupply: Math.min(daysSupply, maxDaysSupply) }) },
    });
  },

  /** Wakes the dunning workflow, or starts it. Idempotent: the workflow only checks what is due. */
  'payment.recovery_due': async (event) => {
    const { reference } = detailOf(event, recoveryDue);
    const recovery = await findDunning(context.sql, reference);
    if (recovery) await recheckDunning(context.temporal, recovery);
  },
});

const orderSettled: z.ZodType<OrderSettled> = z.object({
  submissionId: z.string(),
  clientId: z.string(),
  sourceOrderId: z.string(),
  pharmacy: z.string(),
  pharmacyOrderId: z.string().nullable(),
});

const directionsChanged: z.ZodType<DirectionsChanged> = z.object({
  submissionId: z.string(),
  clientId: z.string(),
  sourceOrderId: z.string(),
  holdId: z.string(),
});

const rerouteAsked: z.ZodType<RerouteAsked> = z.object({
  submissionId: z.string(),
  sourceOrderId: z.string(),
  pharmacy: z.enum(pharmacies),
  requestedBy: z.string(),
});

type PatientNotifier = Pick<PatientActivities, 'fetchContact'> &
  Pick<NotificationActivities, 'notifyPatient'>;

/**
 * Notifies a patient that charges go to another card. Sends once per reference, and nothing if the patient cannot be
 * reached.
 */
async function notifyOfNewCard(
  { logger }: WorkerContext,
  { fetchContact, notifyPatient }: PatientNotifier,
  { emrPatientId, reference }: { emrPatientId: string; reference: string },
): Promise<void> {
  try {
    const contact = await fetchContact({ emrPatientId });
    await notifyPatient({ type: 'payment_method_updated', reference, contact, variables: {} });
  } catch (error) {
    const reason = error instanceof ApplicationFailure ? error.type : undefined;
    if (reason !== failureTypes.notFound && reason !== failureTypes.rejected) throw error;
    logger.warn({ reason }, 'a patient could not be notified of a new card');
  }
}

/**
 * Approves the task of a prescription activated in the EMR where that is allowed; else it is only recorded (D44). An
 * approval over HTTP joins the same run. Idempotent by the event's id and by the task.
 */
function approveActivated(context: WorkerContext): EventHandler {
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

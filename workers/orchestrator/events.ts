import { ApplicationFailure } from '@temporalio/common';
import type { MedicationRequest } from 'fhir/r4.js';
import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import { isEmrEventKnown, recordEmrEvent } from '../../db/orchestrator/emr-events.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { findReportedOrder } from '../../db/orchestrator/orders.js';
import { chargeToNewCard, findDunning } from '../../db/orchestrator/dunning.js';
import { takeIntakeProfile } from '../../db/orchestrator/payment-profiles.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import { findUnknownOrderRun, recordNoOrder } from '../../db/orchestrator/unknown-orders.js';
import { isTaskId, maxDosageLength } from '../../domain/orchestrator/approval.js';
import { failureTypes } from '../../domain/failures.js';
import { requestedApproval, taskOf } from '../../domain/orchestrator/emr-approval.js';
import type { RerouteAsked } from '../../domain/order-reroute.js';
import { pharmacies } from '../../domain/pharmacies.js';
import type { OrderSettled } from '../../domain/order-settled.js';
import type { PaymentProfileSaved } from '../../domain/payment-profile.js';
import { type ApprovalRequest, approve, resumeFailedRun } from '../../starts/orchestrator.js';
import { rerouteOrder } from '../../starts/order-changes.js';
import { recheckDunning } from '../../starts/dunning.js';
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
  // Published before there were proofs, it has none.
  emailProven: z.boolean().default(false),
  savedAt: z.iso.datetime(),
});

const recoveryDue = z.object({ reference: z.string() });

/** What the orchestrator does when it hears of something. */
export const orchestratorEvents = (
  context: WorkerContext,
  parties: TellingPatients & Pick<CancellationActivities, 'readOrderCancellation'>,
): Handlers<'orchestrator'> => ({
  'emr.medication_request.activated': approveActivated(context),

  /**
   * An order of ours, whose run failed since nobody knew of it, exists: it is carried on from step 5; or it does not, and
   * a person decides (D114). Idempotent: only the failed run that still holds its task is carried on, once.
   */
  'order.settled': async (event) => {
    const { submissionId, clientId, sourceOrderId, ...order } = detailOf(event, orderSettled);
    if (clientId !== context.config.service('orchestrator').ORCHESTRATOR_API_KEY) return;
    const failed = await findUnknownOrderRun(context.sql, submissionId);
    const { pharmacy, pharmacyOrderId } = order;
    if (!failed) {
      // It may be about to fail; one that goes on asks the router itself, and needs nobody.
      if ((await findTask(context.sql, sourceOrderId))?.state === 'running')
        throw new Error('A run of the order is under way');
    } else if ((await findTask(context.sql, failed.reference))?.changing) {
      throw new Error('The order is being taken back, or moved');
    } else if (pharmacyOrderId === null) {
      await recordNoOrder(context.sql, failed, submissionId);
    } else {
      // Taken back at the router, as by a person who was asked about it: it is not charged first and refunded then.
      const { state } = await parties.readOrderCancellation({ submissionId });
      if (state === 'pending') throw new Error('The pharmacy is asked for the order back');
      if (state === 'approved') return;
      await resumeFailedRun(context.temporal, failed, { submissionId, pharmacy, pharmacyOrderId });
    }
  },

  /**
   * The card saved at intake becomes the one that charges go to (D37, D64), in the place of another only with a proof of
   * the mailbox, and then the patient is told (D86) and what they owe is charged to it (D107). Idempotent by the card,
   * which the patient is told of once, and by when it was saved.
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
      await tellOfNewCard(context, parties, {
        emrPatientId,
        reference: `${saved.submissionId}:${paymentMethodId}`,
      });
  },

  /** A person wants an order at another pharmacy (D109). Idempotent: requests for the same join, and it moves once. */
  'order.reroute_asked': async (event) => {
    const { sourceOrderId, pharmacy, requestedBy } = detailOf(event, rerouteAsked);
    const order = await findReportedOrder(context.sql, sourceOrderId);
    if (!order || order.isMoved) return;
    const { taskId, heldBy: reference } = order;
    await rerouteOrder(context.temporal, taskId, { reference, pharmacy, requestedBy }, 0);
  },

  /** The run that gets a charge paid looks at it again; it is started where there is none. Idempotent: it only looks. */
  'payment.recovery_due': async (event) => {
    const { reference } = detailOf(event, recoveryDue);
    const recovery = await findDunning(context.sql, reference);
    if (recovery) await recheckDunning(context.temporal, recovery);
  },
});

/** As the router publishes it. */
const orderSettled: z.ZodType<OrderSettled> = z.object({
  submissionId: z.string(),
  clientId: z.string(),
  sourceOrderId: z.string(),
  pharmacy: z.string(),
  pharmacyOrderId: z.string().nullable(),
});

const rerouteAsked: z.ZodType<RerouteAsked> = z.object({
  submissionId: z.string(),
  sourceOrderId: z.string(),
  pharmacy: z.enum(pharmacies),
  requestedBy: z.string(),
});

type TellingPatients = Pick<PatientActivities, 'fetchContact'> &
  Pick<NotificationActivities, 'notifyPatient'>;

/** Tells a patient that charges go to another card now. Once per reference, and not at all where nobody can be told. */
async function tellOfNewCard(
  { logger }: WorkerContext,
  { fetchContact, notifyPatient }: TellingPatients,
  { emrPatientId, reference }: { emrPatientId: string; reference: string },
): Promise<void> {
  try {
    const contact = await fetchContact({ emrPatientId });
    await notifyPatient({ type: 'payment_method_updated', reference, contact, variables: {} });
  } catch (error) {
    const reason = error instanceof ApplicationFailure ? error.type : undefined;
    if (reason !== failureTypes.notFound && reason !== failureTypes.rejected) throw error;
    logger.warn({ reason }, 'a patient could not be told of a new card');
  }
}

/**
 * A prescription that is activated in the EMR under a task's identifier approves that task where that is allowed;
 * else it is only recorded (D44). The approval is the same as one that is asked for over HTTP, so that either finds
 * the other's run. Idempotent by the event's id, and the start by the task.
 */
function approveActivated(context: WorkerContext): EventHandler {
  const { sql, config, logger } = context;
  const { MRN_SYSTEM_URI, AUTO_APPROVE_FROM_EMR } = config.service('orchestrator');

  return async (event) => {
    const { emrEventName, resource: told } = detailOf(event, activated);
    const resource = told as Partial<MedicationRequest>;
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
      if (await findMedicationConfig(sql, medication))
        return { taskId, medication, emrPatientId, ...(dosage ? { dosage } : {}) };
    return undefined;
  }
}

import { ApplicationFailure } from '@temporalio/common';
import { calling, callLimits } from '../../activities/calls.js';
import { detailOf, type Handlers } from '../../activities/events/deliveries.js';
import type { CancellationActivities } from '../../activities/orchestrator/cancellations.js';
import type { ChargeNotice, ChargeNotices } from '../../activities/orchestrator/charge-notices.js';
import type { PlanNotices } from '../../activities/orchestrator/plan-notices.js';
import type { NotificationActivities, Notice } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import { orchestratorDay } from '../../db/orchestrator/clock.js';
import { recordDeparture } from '../../db/orchestrator/departures.js';
import { applyHoldDirections } from '../../db/orchestrator/directions.js';
import { findOrder, findReportedOrder } from '../../db/orchestrator/orders.js';
import { recordOrderFound, reportMissingOrder } from '../../db/orchestrator/missing-orders.js';
import { chargeToNewCard, findDunning } from '../../db/orchestrator/dunning.js';
import { findReplacement } from '../../db/orchestrator/replacements.js';
import { takeIntakeProfile } from '../../db/orchestrator/payment-profiles.js';
import { findDueRefund } from '../../db/orchestrator/refunds.js';
import { endErasedSchedule } from '../../db/orchestrator/schedule-status.js';
import { reportShippedAfterCancel } from '../../db/orchestrator/shipped-after-cancel.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import {
  findUnknownOrderRun,
  forgetUnknownOrder,
  recordNoOrder,
} from '../../db/orchestrator/unknown-orders.js';
import { departureOf } from '../../domain/orderable-patient.js';
import { departureReason } from '../../domain/orchestrator/departures.js';
import { failureTypes } from '../../domain/failures.js';
import { receiptReference } from '../../domain/orchestrator/notices.js';
import { planNotice } from '../../domain/orchestrator/plan-notices.js';
import { maxDaysSupply, refillReference } from '../../domain/orchestrator/refills.js';
import type { EmrClient } from '../../integrations/emr/client.js';
import { resumeFailedRun } from '../../starts/orchestrator.js';
import { rerouteOrder } from '../../starts/order-changes.js';
import { giveBackAgain, recheckDunning } from '../../starts/dunning.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import type { WorkerContext } from '../context.js';
import { sendDueFill, showPlan } from './plan-fills.js';
import { approveActivated } from './approve-activated.js';
import * as details from './event-details.js';
import { settleReplacement } from './settle-replacement.js';

/** Why a pharmacy is asked to cancel an order that turned up again. */
const givenUpText = 'The order was cancelled or ordered again while it was missing';

export const orchestratorEvents = (
  context: WorkerContext,
  services: PatientNotifier &
    ChargeNotices &
    PlanNotices &
    Pick<CancellationActivities, 'readOrderCancellation'> & {
      emr: Pick<EmrClient, 'readPatient'>;
      orders: Pick<OrderClient, 'readChange' | 'cancel'>;
    },
): Handlers<'orchestrator'> => ({
  'emr.medication_request.activated': approveActivated(context),

  /**
   * Pauses or resumes a patient's refills by what the EMR says now (D117); the event itself says nothing. Idempotent: it
   * records what it reads.
   */
  'emr.patient.updated': async (event) => {
    const { resourceId: emrPatientId } = detailOf(event, details.updated);
    const record = await calling(() => services.emr.readPatient(emrPatientId, callLimits()));
    if (!record) return;
    const left = departureOf(record);
    await recordDeparture(
      context.sql,
      emrPatientId,
      left === undefined ? null : departureReason(left),
      await orchestratorDay(context)(),
    );
  },

  /** Pauses the refills of an archived patient, whatever the EMR says (D117). Idempotent: it writes the same again. */
  'patient.archived': async (event) => {
    const { emrPatientId } = detailOf(event, details.archived);
    if (emrPatientId !== null)
      await recordDeparture(context.sql, emrPatientId, 'patient_archived', await orchestratorDay(context)());
  },

  /**
   * An order whose existence was unknown is reconciled (D114). If it exists, the failed run resumes from step 5; else a
   * work item opens. An order that was given up is cancelled, since its task may have another one (D138). Idempotent:
   * only the failed run that holds the task resumes, once.
   */
  'order.settled': async (event) => {
    const { submissionId, clientId, sourceOrderId, ...order } = detailOf(event, details.orderSettled);
    if (clientId !== context.config.service('orchestrator').ORCHESTRATOR_API_KEY) return;
    const { pharmacy, pharmacyOrderId } = order;
    if (pharmacyOrderId !== null) await recordOrderFound(context.sql, sourceOrderId);
    const replacement = await findReplacement(context.sql, sourceOrderId);
    if (replacement) return settleReplacement(context, services, replacement, { submissionId, ...order });
    const reported = await findReportedOrder(context.sql, sourceOrderId);
    if (pharmacyOrderId !== null && reported?.isFreed) {
      // A denied one is reported when it ships.
      const { state } = await calling(() => services.orders.cancel(submissionId, givenUpText, callLimits()));
      if (state === 'pending') throw new Error('The pharmacy is being asked to cancel the order');
      return;
    }
    // The run may be about to fail, so the event is retried. A run that continues asks the router itself.
    const heldBy = reported?.heldBy ?? sourceOrderId;
    if ((await findTask(context.sql, heldBy))?.state === 'running')
      throw new Error('A run of the order is under way');
    const failed = await findUnknownOrderRun(context.sql, submissionId);
    if (!failed) return;
    if ((await findTask(context.sql, failed.reference))?.changing) {
      throw new Error('The order is being canceled or rerouted');
    } else if (pharmacyOrderId === null) {
      await recordNoOrder(context.sql, failed, submissionId, await orchestratorDay(context)());
    } else {
      // The router is canceling the order, so it must not be charged first and refunded later.
      const { state } = await services.readOrderCancellation({ submissionId });
      if (state === 'pending') throw new Error('The pharmacy is being asked to cancel the order');
      if (state === 'approved') {
        await forgetUnknownOrder(context.sql, submissionId);
        return;
      }
      await resumeFailedRun(context.temporal, failed, { submissionId, pharmacy, pharmacyOrderId });
      // A cancellation or reroute may reserve the task first, and the pharmacy may keep the order.
      if (await findUnknownOrderRun(context.sql, submissionId))
        throw new Error('The resumed run has not claimed the task');
    }
  },

  /** Opens a work item for an order that its pharmacy does not have (D138). Idempotent: an order is reported once. */
  'order.missing': async (event) => {
    const order = detailOf(event, details.orderSettled);
    if (order.clientId !== context.config.service('orchestrator').ORCHESTRATOR_API_KEY) return;
    if ((await reportMissingOrder(context.sql, order)) === 'busy')
      throw new Error('A run of the task is under way');
  },

  /**
   * Makes the card saved at intake the one to charge (D37, D64). It replaces another card only with a verified address;
   * then the patient is notified (D86) and the amount owed is charged (D107).
   * Idempotent by the card and the time it was saved; the patient is notified once per card.
   */
  'intake.payment_profile_saved': async (event) => {
    const saved = detailOf(event, details.profileSaved);
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
      await notifyReachable(context, services, {
        type: 'payment_method_updated',
        reference: `${saved.submissionId}:${paymentMethodId}`,
        emrPatientId,
        variables: {},
      });
  },

  /**
   * Reroutes an order as a work item's answer requests (D109). Idempotent: the order moves once. A run that is open may
   * be about to end, so the event is retried until one starts.
   */
  'order.reroute_asked': async (event) => {
    const { sourceOrderId, pharmacy, requestedBy } = detailOf(event, details.rerouteAsked);
    const order = await findReportedOrder(context.sql, sourceOrderId);
    if (!order || order.isMoved || order.isReplacement) return;
    const { taskId, heldBy: reference } = order;
    let started = 0;
    const onStart = () => void (started += 1);
    await rerouteOrder(context.temporal, taskId, { reference, pharmacy, requestedBy, onStart }, 0);
    if (started === 0) throw new Error('Another change of the order is under way');
  },

  /**
   * Opens a work item for an order that its pharmacy sent after it had cancelled it (D155). Idempotent: an order has
   * one such work item.
   */
  'order.shipped_after_cancel': async (event) => {
    const shipped = detailOf(event, details.shippedAfterCancel);
    const order = await findReportedOrder(context.sql, shipped.sourceOrderId);
    if (!order || (order.submissionId ?? shipped.submissionId) !== shipped.submissionId) return;
    const { taskId } = order;
    await context.sql.begin((sql) => reportShippedAfterCancel(sql, { ...shipped, taskId }));
  },

  /**
   * Applies directions that a pharmacy accepted to the refills after the order (D145). Idempotent by the hold. The
   * newest change of each field holds, whatever the order of the events.
   */
  'order.directions_changed': async (event) => {
    const { submissionId, clientId, sourceOrderId, holdId } = detailOf(event, details.directionsChanged);
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
    const { reference } = detailOf(event, details.referenced);
    const recovery = await findDunning(context.sql, reference);
    if (recovery) await recheckDunning(context.temporal, recovery);
  },

  /**
   * Refunds a charge that succeeded after its task was cancelled (D153). Idempotent: a charge is refunded once. A run
   * that is open may have looked before the charge succeeded, so the event is retried until nothing is due.
   */
  'payment.refund_due': async (event) => {
    const { reference } = detailOf(event, details.referenced);
    if (!(await findDueRefund(context.sql, reference))) return;
    const taskId = (await findOrder(context.sql, reference))?.taskId ?? reference;
    let started = 0;
    const onStart = () => void (started += 1);
    await giveBackAgain(context.temporal, { taskId, reference, onStart }, 0);
    if (started === 0) throw new Error('Another run of the refund is under way');
  },

  /** Sends the receipt of a charge (D121). Idempotent: one message per attempt of a charge. */
  'payment.succeeded': async (event) => {
    const { reference, attempt } = detailOf(event, details.charged);
    const receipt = await services.readReceipt(reference);
    if (!receipt) return;
    const message = { type: 'receipt' as const, reference: receiptReference(reference, attempt), ...receipt };
    await notifyReachable(context, services, message);
  },

  /** Notifies a patient of a refill that is due soon (D121). Idempotent: one message per refill. */
  'refill.notice_due': async (event) => {
    const refill = detailOf(event, details.dueSoon);
    const notice = await services.readRefillNotice(refill);
    if (!notice) return;
    const reference = refillReference(refill.scheduleId, refill.n);
    await notifyReachable(context, services, { type: 'subscription_renewal', reference, ...notice });
  },

  /** Ends the plan and the work items of a schedule that an erasure has cancelled. Idempotent: they end once. */
  'refill.schedule_erased': async (event) => {
    const { scheduleId } = detailOf(event, details.erased);
    await endErasedSchedule(context.sql, scheduleId, await orchestratorDay(context)());
  },

  /**
   * Sends the fill of a plan that is due and whose gate is open (D126), and shows the plan in its run (D128). Idempotent:
   * a fill is sent once by its number, and the run reads the plan.
   */
  'plan.changed': async (event) => {
    const { planId, mayBeDue } = detailOf(event, details.planned);
    if (mayBeDue) await sendDueFill(context, planId);
    await showPlan(context, planId);
  },

  /** Tells a patient of a check-in that is due (D127). Idempotent: one message per fill, round and day. */
  'plan.notice_due': async (event) => {
    const due = detailOf(event, details.planNotice);
    const notice = await services.readPlanNotice(due);
    if (notice) await notifyReachable(context, services, { ...planNotice(due), ...notice });
  },

  /** Tells a patient that a fill has another treatment than the last (D127). Idempotent: one message per fill. */
  'plan.treatment_changed': async (event) => {
    const { planId, n } = detailOf(event, details.planFill);
    const notice = await services.readTreatmentChange(planId, n);
    const reference = refillReference(planId, n);
    if (notice) await notifyReachable(context, services, { type: 'treatment_change', reference, ...notice });
  },
});

type PatientNotifier = Pick<PatientActivities, 'fetchContact'> &
  Pick<NotificationActivities, 'notifyPatient'>;

/** Notifies a patient once per type and reference. Sends nothing if the patient cannot be reached. */
async function notifyReachable(
  { logger }: WorkerContext,
  { fetchContact, notifyPatient }: PatientNotifier,
  { emrPatientId, ...notice }: Omit<Notice, 'contact'> & ChargeNotice,
): Promise<void> {
  try {
    const contact = await fetchContact({ emrPatientId });
    await notifyPatient({ ...notice, contact });
  } catch (error) {
    const reason = error instanceof ApplicationFailure ? error.type : undefined;
    if (reason !== failureTypes.notFound && reason !== failureTypes.rejected) throw error;
    logger.warn({ reason }, `a patient could not be sent ${notice.type}`);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Book } from '../../db/orchestrator/book-lines.js';
import { orchestratorToday } from '../../db/orchestrator/clock.js';
import { isReturned } from '../../db/orchestrator/order-references.js';
import { findOrder, findPlacedOrder, type PlacedOrder } from '../../db/orchestrator/orders.js';
import { waiveCharge } from '../../db/orchestrator/dunning.js';
import { disableEndpoint, resumeEndpoint } from '../../db/orchestrator/event-endpoints.js';
import { listUnrecordedParcels } from '../../db/orchestrator/parcels.js';
import { findSchedule } from '../../db/orchestrator/refill-schedules.js';
import { findReplacement, readReplacement } from '../../db/orchestrator/replacements.js';
import { findTask } from '../../db/orchestrator/tasks.js';
import type { OwnWorkItem } from '../../db/work-items.js';
import { findShipment } from '../../db/orchestrator/shipments.js';
import { approvalErrorCode, refillReason } from '../../domain/orchestrator/approval-errors.js';
import { clinicCancelledText } from '../../domain/orchestrator/cancellation.js';
import type { PipelineResult } from '../../domain/orchestrator/pipeline.js';
import { erasedPrescriptionText } from '../../domain/orchestrator/replacement.js';
import {
  earliestFillDate,
  nextRefill,
  refillOf,
  refillReference,
} from '../../domain/orchestrator/refills.js';
import { addresseeOf } from '../../domain/orchestrator/shipments.js';
import { pharmacies, type Pharmacy } from '../../domain/pharmacies.js';
import { ownServices } from '../../integrations/own-services.js';
import { createOrderClient } from '../../integrations/router/orders.js';
import { text } from '../../platform/http/text.js';
import type { Outcome } from '../../starts/runs.js';
import { giveBackAgain } from '../../starts/dunning.js';
import { followCancelledOrder, isCancelling } from '../../starts/order-changes.js';
import * as starts from '../../starts/orchestrator.js';
import type { ServiceContext } from '../context.js';
import { unavailable } from '../http-errors.js';
import { operate } from './refill-routes.js';
import { outboundAs } from '../outcomes.js';
import { type AnswerHandler, type AnswerHandlers, answerWithinMs, dataOf } from '../plugins/work-items.js';
import { cancel, heldReference } from './cancel.js';
import { chargeShippedOrder } from './charge-shipped-order.js';
import { planAnswers } from './plan-item-answers.js';
import { retryPayment } from './operator-routes.js';
import { createReplacing } from './replace.js';
import { reroute } from './reroute.js';
import { createSettling } from './settle-line.js';

const rerouting = z.object({ pharmacy: z.enum(pharmacies) });
const cancelling = z.object({ reason: text(500).min(1).default(clinicCancelledText) });
const addressTimeoutMs = 4_000;
const away = () => unavailable();

/** The handlers for answers to the orchestrator's work items (D109). */
export function answersOf(context: ServiceContext): AnswerHandlers {
  const { sql, temporal, config } = context;
  const replace = createReplacing(context);
  const { recheckAll } = createSettling(context);

  /** Only the newest refill of a schedule can be canceled or rerouted. */
  const isNewest = async (taskId: string, reference: string) =>
    (await heldReference(sql, taskId)) === reference;

  const cancelOrder: AnswerHandler = async (given) => {
    const { taskId = '', reference = given.item.fact } = given.item.refersTo;
    const { reason } = dataOf(given, cancelling);
    if (!(await isNewest(taskId, reference)))
      return refillOf(reference)
        ? laterRefillText
        : 'It is charged for a replacement; cancel the task itself';
    const isGivenUp = given.item.kind === 'approval_failed';
    const request = { taskId, reason, ...(isGivenUp && { withoutOrder: true as const }) };
    const { cancellation } = await cancel(context, request, given.by, answerWithinMs);
    return cancellation.state === 'denied'
      ? `The pharmacy denied the cancellation: ${cancellation.reason}`
      : null;
  };

  const rerouteTo = async ({ item, by }: Parameters<AnswerHandler>[0], pharmacy: Pharmacy) => {
    const { taskId = '', reference = item.fact } = item.refersTo;
    if (!(await isNewest(taskId, reference))) return laterRefillText;
    await reroute(context, { taskId, pharmacy }, by, answerWithinMs);
    return null;
  };
  const rerouteOrder: AnswerHandler = async (given) => rerouteTo(given, dataOf(given, rerouting).pharmacy);

  /** Cancels a replacement that its pharmacy does not have, with its own charge (D120, D138). */
  const takeReplacementBack: AnswerHandler = async ({ item: { fact: reference, refersTo } }) => {
    const { taskId = '', submissionId = '' } = refersTo;
    if ((await readReplacement(sql, reference))?.state === 'rejected') return null;
    const order = { heldBy: reference, reference, submissionId, isMissing: true } as const;
    await followCancelledOrder(temporal, taskId, order);
    const deadline = Date.now() + answerWithinMs;
    for (;;) {
      const isOpen = Date.now() < deadline && (await isCancelling(temporal, taskId));
      if ((await readReplacement(sql, reference))?.state === 'cancelled') return null;
      if (!isOpen) return 'The pharmacy has the order, or has not answered yet';
      await sleep(500);
    }
  };

  /** Orders the next replacement as the missing one was asked for. */
  const replaceAgain: AnswerHandler = async (given) => {
    const { item, by } = given;
    const { taskId = '' } = item.refersTo;
    const missing = await findReplacement(sql, item.fact);
    const asked = await readReplacement(sql, item.fact);
    if (!missing || !asked || !(await isNewest(taskId, missing.heldBy))) return laterRefillText;
    const reason = await takeReplacementBack(given);
    if (reason !== null) return reason;
    const { paidBy, note, shipTo } = asked;
    const again = {
      taskId,
      reason: asked.reason,
      paidBy,
      ...(note !== null && { note }),
      ...(shipTo && { shipTo }),
    };
    await replace(again, { requestedBy: by }, answerWithinMs);
    return null;
  };

  /** Runs a failed refill now, as the check would (D116). */
  const tryAgain: AnswerHandler = async ({ item, by }) => {
    const { scheduleId = '', reference = '' } = item.refersTo;
    const schedule = await findSchedule(sql, scheduleId);
    if (schedule?.status !== 'active') return `Schedule is ${schedule?.status ?? 'gone'}`;
    const next = nextRefill(schedule);
    if (refillReference(scheduleId, next.n) !== reference)
      return 'The refill was charged before it lost its order, so it can only be rerouted';
    const today = await orchestratorToday({ sql, config })();
    const earliest = earliestFillDate(schedule.lastFillDate, schedule.daysSupply);
    if (schedule.nextFillDate > today && earliest > today) return `Too soon before ${earliest}`;
    // A repeat of this very answer joins the run that it has started.
    const isRepeated = item.answering === 'try_again' && item.answeringBy === by;
    const task = await findTask(sql, reference);
    if (task?.state === 'running' && !isRepeated) return 'A refill is under way';
    // A pause, skip or move that is confirmed before the run claims the refill holds it.
    const dueOn = schedule.nextFillDate > today ? schedule.nextFillDate : today;
    return failureOf(await starts.sendRefillAgain(temporal, { ...next, dueOn }, answerWithinMs));
  };

  const recheckBook = async (book: Book, by: string) => {
    const left = await recheckAll(book, by);
    return left === 0 ? null : `Lines that still differ: ${left}`;
  };

  const changeSchedule = async ({ refersTo }: OwnWorkItem, name: 'pause' | 'cancel', by: string) => {
    await operate(context, refersTo['scheduleId'] ?? '', name, by);
    return null;
  };

  return {
    approval_failed: {
      approve_again: async ({ item: { fact: reference } }) => {
        const order = await findOrder(sql, reference);
        if (!order) return 'The task is gone';
        const { taskId, medication, emrPatientId, dosage } = order;
        const what = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }) };
        const outcome = await starts.approve(context, { taskId, ...what }, answerWithinMs);
        return outcome.state === 'held' ? outcome.why : reasonOf(outcome);
      },
      reroute: rerouteOrder,
      cancel: cancelOrder,
    },
    order_missing: {
      /** A reroute to the same pharmacy, which cancels the old order by its reference first (D138). */
      order_again: async (given) =>
        (await findReplacement(sql, given.item.fact))
          ? replaceAgain(given)
          : rerouteTo(given, rerouting.parse(given.item.refersTo).pharmacy),
      reroute: rerouteOrder,
      cancel: async (given) =>
        (await findReplacement(sql, given.item.fact)) ? takeReplacementBack(given) : cancelOrder(given),
    },
    refill_failed: {
      try_again: tryAgain,
      reroute: rerouteOrder,
      pause: ({ item, by }) => changeSchedule(item, 'pause', by),
      cancel: ({ item, by }) => changeSchedule(item, 'cancel', by),
    },
    payment_unpaid: {
      charge_again: async ({ item: { fact: reference }, by }) => {
        const { payment } = await retryPayment(context, reference, { requestedBy: by }, answerWithinMs);
        return payment.status === 'failed' ? 'The charge failed again' : null;
      },
      waive: async ({ item: { fact: reference } }) => {
        const isWaived = await waiveCharge(sql, reference);
        return isWaived ? null : 'The outcome of a charge is not known yet';
      },
      cancel: cancelOrder,
    },
    charge_disputed: { cancel: cancelOrder },
    ...planAnswers(context),
    close_differences: { recheck: ({ item: { fact: date }, by }) => recheckBook({ date }, by) },
    statement_differences: {
      recheck: ({ item: { fact: statementId }, by }) => recheckBook({ statementId }, by),
    },
    endpoint_failing: {
      try_again: async ({ item: { refersTo } }) => {
        const resumed = await resumeEndpoint(sql, refersTo['client'] ?? '');
        if (!resumed) return 'The endpoint is gone';
        return resumed.state === 'disabled' ? 'The key of the endpoint is revoked' : null;
      },
      disable: async ({ item: { refersTo } }) => {
        await disableEndpoint(sql, refersTo['client'] ?? '');
        return null;
      },
    },
    refund_failed: {
      retry: async ({ item: { fact: reference } }) => {
        const taskId = (await findOrder(sql, reference))?.taskId ?? reference;
        return reasonOf(await giveBackAgain(temporal, { taskId, reference }, answerWithinMs));
      },
    },
    shipped_after_cancel: {
      charge_again: ({ item: { fact: reference, refersTo }, by }) =>
        chargeShippedOrder(context, { reference, submissionId: refersTo['submissionId'] ?? '', by }),
    },
    shipment_failed: {
      retry: async ({ item: { fact: submissionId } }) => {
        const order = await findPlacedOrder(sql, submissionId);
        if (!order || (await isReturned(sql, submissionId))) return 'The order was cancelled or moved';
        return shipAgain(context, order);
      },
    },
  };
}

const laterRefillText = 'A later refill was sent meanwhile';

/** Why a workflow did not do its work; null if it did or still runs. */
function reasonOf(
  outcome: { state: 'completed' } | Exclude<Outcome<unknown>, { state: 'completed' }>,
): string | null {
  switch (outcome.state) {
    case 'failed':
      return outcome.failure.message;
    case 'terminated':
      return 'An operator terminated the workflow';
    case 'conflict':
      return 'Another change of this order is running';
    default:
      return null;
  }
}

/** Why a refill failed again: the reason of its work item and the error; null if it was sent or still runs. */
function failureOf(outcome: Parameters<typeof reasonOf>[0]): string | null {
  const failed = outcome.state === 'failed' ? outcome.failure.details[0] : undefined;
  const { failedStep, error } = (failed ?? {}) as Partial<PipelineResult>;
  if (failedStep === undefined || error === undefined) return reasonOf(outcome);
  const code = approvalErrorCode({ step: failedStep, reason: error }, false);
  return `${refillReason(failedStep, code)}: ${error}`;
}

/**
 * Retries a failed shipment (D109): makes the label at the address that was ordered, or shares an existing tracking
 * number. Both have their own idempotency key, so no second label exists.
 * @returns why it cannot; null once the retry has started
 */
async function shipAgain(
  { sql, temporal, config }: ServiceContext,
  order: PlacedOrder,
): Promise<string | null> {
  const { reference, taskId, runId, emrPatientId, submissionId, pharmacy, pharmacyOrderId, isReplacement } =
    order;
  const shipment = await findShipment(sql, submissionId);
  if (shipment?.state === 'shipped' && shipment.trackingNumber !== null) {
    const unrecorded = await listUnrecordedParcels(sql, submissionId);
    const placed = { submissionId, sourceOrderId: reference, pharmacy, pharmacyOrderId };
    for (const { trackingNumber, carrier } of unrecorded.length > 0 ? unrecorded : [shipment])
      await starts.followShipment(temporal, taskId, { ...placed, state: 'shipped', trackingNumber, carrier });
    return null;
  }
  if (shipment?.state === 'delivered' || shipment?.state === 'cancelled')
    return `The order is ${shipment.state}`;
  const orders = createOrderClient(ownServices(config.service('orchestrator')).router);
  const prescription = await orders
    .readPrescription(submissionId, { timeoutMs: addressTimeoutMs })
    .catch(outboundAs(away));
  const { shipTo } = prescription as Partial<typeof prescription>;
  if (!shipTo) return erasedPrescriptionText;
  const lost = {
    shipment: { submissionId, taskId: reference, emrPatientId, pharmacy },
    order: { submissionId, pharmacy, pharmacyOrderId },
    patient: addresseeOf(shipTo),
    runId: isReplacement ? null : runId,
    // In the past, so the first attempt starts at once.
    lostAtMs: 0,
  };
  await starts.makeLabelAgain(temporal, lost, 0);
  return null;
}

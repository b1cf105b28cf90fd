import { z } from 'zod';
import { findOrder, findPlacedOrder } from '../../db/orchestrator/orders.js';
import { cancelDunning } from '../../db/orchestrator/dunning.js';
import { findShipment } from '../../db/orchestrator/shipments.js';
import { refillOf } from '../../domain/orchestrator/refills.js';
import { pharmacies } from '../../domain/pharmacies.js';
import type { Outcome } from '../../starts/runs.js';
import { giveBackAgain } from '../../starts/dunning.js';
import { approve, sendRefillAgain } from '../../starts/orchestrator.js';
import type { ServiceContext } from '../context.js';
import { type AnswerHandler, type AnswerHandlers, answerWithinMs, dataOf } from '../plugins/work-items.js';
import { text } from '../../platform/http/text.js';
import { cancel, heldReference } from './cancel.js';
import { retryPayment } from './operator-routes.js';
import { reroute } from './reroute.js';
import { shipAgain } from './ship-again.js';

const rerouting = z.object({ pharmacy: z.enum(pharmacies) });
const cancelling = z.object({ reason: text(500).min(1).default('Cancelled by the clinic') });

/** What people may do about what waits for them here (D109). */
export function answersOf(context: ServiceContext): AnswerHandlers {
  const { sql, temporal } = context;

  /** Of a schedule only the newest refill can be taken back or moved. */
  const isNewest = async (taskId: string, reference: string) =>
    (await heldReference(sql, taskId)) === reference;

  const takeBack: AnswerHandler = async (given) => {
    const { taskId = '', reference = given.item.fact } = given.item.refersTo;
    const { reason } = dataOf(given, cancelling);
    if (!(await isNewest(taskId, reference))) return laterRefillText;
    const request = { taskId, reason };
    const { cancellation } = await cancel(context, request, given.by, answerWithinMs);
    return cancellation.state === 'denied'
      ? `The pharmacy has not given the order back: ${cancellation.reason}`
      : null;
  };

  return {
    approval_failed: {
      approve_again: async ({ item: { fact: reference } }) => {
        const order = await findOrder(sql, reference);
        if (!order) return 'The task is gone';
        const { taskId, medication, emrPatientId, dosage } = order;
        const what = { medication, emrPatientId, ...(dosage === null ? {} : { dosage }) };
        const refill = refillOf(reference);
        if (refill) return refusalOf(await sendRefillAgain(temporal, { ...refill, ...what }, answerWithinMs));
        const outcome = await approve(context, { taskId, ...what }, answerWithinMs);
        return outcome.state === 'held' ? outcome.why : refusalOf(outcome);
      },
      reroute: async (given) => {
        const { refersTo, fact: reference } = given.item;
        const { taskId = '' } = refersTo;
        const { pharmacy } = dataOf(given, rerouting);
        if (!(await isNewest(taskId, reference))) return laterRefillText;
        await reroute(context, { taskId, pharmacy }, given.by, answerWithinMs);
        return null;
      },
      cancel: takeBack,
    },
    payment_unpaid: {
      charge_again: async ({ item: { fact: reference }, by }) => {
        const { payment } = await retryPayment(context, reference, by, answerWithinMs);
        return payment.status === 'failed' ? 'The charge has failed again' : null;
      },
      waive: async ({ item: { fact: reference } }) => {
        await sql.begin((sql) => cancelDunning(sql, reference));
        return null;
      },
      cancel: takeBack,
    },
    charge_disputed: { cancel: takeBack },
    refund_failed: {
      retry: async ({ item: { fact: reference } }) => {
        const taskId = (await findOrder(sql, reference))?.taskId ?? reference;
        return refusalOf(await giveBackAgain(temporal, { taskId, reference }, answerWithinMs));
      },
    },
    shipment_failed: {
      retry: async ({ item: { fact: submissionId } }) => {
        const order = await findPlacedOrder(sql, submissionId);
        if (!order) return 'The order is not at this pharmacy any more';
        return shipAgain(context, order, await findShipment(sql, submissionId));
      },
    },
  };
}

const laterRefillText = 'A later refill has been sent since';

/** Why a run has not done what it was begun for; null where it has, or goes on by itself. */
function refusalOf(
  outcome: { state: 'completed' } | Exclude<Outcome<unknown>, { state: 'completed' }>,
): string | null {
  switch (outcome.state) {
    case 'failed':
      return outcome.failure.message;
    case 'terminated':
      return 'It was ended by an operator';
    case 'conflict':
      return 'Something else is done about it just now';
    default:
      return null;
  }
}

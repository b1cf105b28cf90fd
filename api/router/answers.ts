import { z } from 'zod';
import { keyOfOrder } from '../../domain/clients.js';
import { findArticle } from '../../db/router/articles.js';
import { redeliverCallback } from '../../db/router/callbacks.js';
import { askForReroute } from '../../db/router/reroutes.js';
import { askAgain } from '../../db/router/silence.js';
import { readOrder } from '../../db/router/submissions.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { canFill } from '../../domain/router/articles.js';
import { isReplacement, orderedMedication } from '../../domain/router/submission.js';
import { createPharmacies } from '../../integrations/pharmacies/registry.js';
import { checkSilenceNow, recheckCancellation, recheckUnknownOrder } from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { type AnswerHandler, type AnswerHandlers, answerWithinMs, dataOf } from '../plugins/work-items.js';
import { cancel } from './cancel.js';
import * as contract from './contract.js';
import { answerTheHold } from './hold-routes.js';

const rerouting = z.object({ pharmacy: z.enum(pharmacies) });

/** The handlers for answers to the router's work items (D109). */
export function answersOf(context: ServiceContext): AnswerHandlers {
  const { sql, temporal, config } = context;
  const adapters = createPharmacies(config.service('router'));

  const answerHold =
    (answer: 'proceed' | 'change' | 'decline'): AnswerHandler =>
    async (given) => {
      const { submissionId = '', holdId = '' } = given.item.refersTo;
      const body = dataOf({ ...given, data: { ...given.data, answer } }, contract.holdAnswer);
      await answerTheHold(context, { submissionId, holdId }, body, answerWithinMs);
      return null;
    };

  /** If the pharmacy does not know the order, nothing is left to cancel, so the answer succeeds. */
  const cancelOrder: AnswerHandler = async ({ item: { refersTo } }) => {
    const { submissionId = '' } = refersTo;
    const request = { submissionId, requestReason: null };
    const { state, reason } = await cancel(context, request, answerWithinMs);
    return state === 'denied' && reason !== 'not_found'
      ? `The pharmacy denied the cancellation: ${reason}`
      : null;
  };

  const recheck =
    (check: (client: typeof temporal, submissionId: string) => Promise<unknown>): AnswerHandler =>
    async ({ item: { fact: submissionId } }) => {
      await check(temporal, submissionId);
      return null;
    };

  return {
    pharmacy_hold: {
      proceed: answerHold('proceed'),
      change: answerHold('change'),
      decline: answerHold('decline'),
      cancel: cancelOrder,
      /** Rejects what the orchestrator would reject, because it reroutes the order only later, on the event. */
      reroute: async (given) => {
        const { submissionId = '' } = given.item.refersTo;
        const { pharmacy } = dataOf(given, rerouting);
        const order = await readOrder(sql, submissionId);
        if (!order) return 'The order is gone';
        if (isReplacement(order.sourceOrderId)) return 'A replacement is not rerouted';
        if (order.pharmacy === pharmacy) return 'The order is at this pharmacy already';
        if (!canFill(await findArticle(sql, adapters, pharmacy, orderedMedication(order))))
          return `${pharmacy} cannot fill it`;
        const sourceOrderId = keyOfOrder(order);
        await askForReroute(sql, { submissionId, sourceOrderId, pharmacy, requestedBy: given.by });
        return null;
      },
    },
    order_unknown: { ask_again: recheck(recheckUnknownOrder), cancel: cancelOrder },
    order_silent: {
      ask_again: recheck(async (temporal, submissionId) => {
        await askAgain(sql, submissionId);
        await checkSilenceNow(temporal);
      }),
      cancel: cancelOrder,
    },
    cancellation_unanswered: { ask_again: recheck(recheckCancellation), cancel: cancelOrder },
    callback_dead: {
      redeliver: async ({ item: { refersTo } }) => {
        const { submissionId = '', callbackId = '' } = refersTo;
        const state = await redeliverCallback(sql, { submissionId, callbackId });
        if (state === undefined) return 'The callback is gone';
        return state === 'stopped' ? 'The receiver wants no callbacks of this order any more' : null;
      },
    },
  };
}

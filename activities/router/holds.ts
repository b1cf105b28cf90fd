import type { Sql } from '../../db/client.js';
import { findAnswerUnderWay, recordHoldReply } from '../../db/router/hold-answers.js';
import { findFollowedHold, type FollowedHold, type HoldKey } from '../../db/router/holds.js';
import type { HoldReply } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { idPart } from '../../platform/crypto/ids.js';
import { calling, callLimits } from '../calls.js';

/** The pharmacy's reply to an answer; `over`: the answer is no longer pending. */
export type AnswerReply = HoldReply | 'over';

export const createHoldActivities = ({ sql, pharmacies }: { sql: Sql; pharmacies: Pharmacies }) => ({
  /** Reads a hold; null if there is none. Safe to retry: it only reads. */
  async readHold(key: HoldKey): Promise<FollowedHold | null> {
    return (await findFollowedHold(sql, key)) ?? null;
  },

  /**
   * Sends an answer to the pharmacy once (D100). Safe to retry: every call for one answer has the same idempotency
   * key.
   * @throws Unavailable without a usable response
   */
  async handOverAnswer({ number, ...key }: HoldKey & { number: number }): Promise<AnswerReply> {
    const underWay = await findAnswerUnderWay(sql, key, number);
    if (!underWay) return 'over';
    const { pharmacy, pharmacyOrderId, isTest: test, answer, answerText, changes } = underWay;
    const { submissionId, holdId } = key;
    return calling(() =>
      pharmacies[pharmacy].answerHold(
        { pharmacyOrderId, holdId },
        { answer, ...(answerText === null ? {} : { text: answerText }), ...(changes && { changes }) },
        { idempotencyKey: `answer:${submissionId}:${idPart(holdId)}-${number}`, test, ...callLimits() },
      ),
    );
  },

  /** Records the pharmacy's reply to an answer. Safe to retry: an answer gets one reply. */
  recordHoldReply: (said: HoldKey & { number: number; refusal: string | null }) => recordHoldReply(sql, said),
});

export type HoldActivities = ReturnType<typeof createHoldActivities>;

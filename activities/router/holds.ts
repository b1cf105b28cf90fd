import type { Sql } from '../../db/client.js';
import { findAnswerUnderWay, recordHoldReply } from '../../db/router/hold-answers.js';
import { findFollowedHold, type FollowedHold, type HoldKey } from '../../db/router/holds.js';
import type { HoldReply } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { idPart } from '../../platform/crypto/ids.js';
import { callLimits } from '../call-limits.js';
import { calling } from '../failures.js';

export interface HoldDependencies {
  sql: Sql;
  pharmacies: Pharmacies;
}

/** What came of handing an answer over; `over`: it is not on its way any more. */
export type Handover = HoldReply | 'over';

export const createHoldActivities = (deps: HoldDependencies) => ({
  /**
   * A hold as it stands; null for one that never came.
   *
   * Safe to retry: only reads.
   */
  async readHold(key: HoldKey): Promise<FollowedHold | null> {
    return (await findFollowedHold(deps.sql, key)) ?? null;
  },

  /**
   * Hands an answer to the pharmacy once (D100).
   * @throws Unavailable when it gave no answer to go by
   *
   * Safe to retry: every call for one answer carries the same idempotency key.
   */
  async handOverAnswer({ number, ...key }: HoldKey & { number: number }): Promise<Handover> {
    const underWay = await findAnswerUnderWay(deps.sql, key, number);
    if (!underWay) return 'over';
    const { pharmacy, pharmacyOrderId, isTest: test, answer, answerText, changes } = underWay;
    const { submissionId, holdId } = key;
    return calling(() =>
      deps.pharmacies[pharmacy].answerHold(
        { pharmacyOrderId, holdId },
        { answer, ...(answerText === null ? {} : { text: answerText }), ...(changes && { changes }) },
        { idempotencyKey: `answer:${submissionId}:${idPart(holdId)}-${number}`, test, ...callLimits() },
      ),
    );
  },

  /**
   * Records what the pharmacy said to an answer.
   *
   * Safe to retry: an answer is settled once, and a repeat finds it settled.
   */
  async recordHoldReply(said: HoldKey & { number: number; refusal: string | null }): Promise<void> {
    await recordHoldReply(deps.sql, said);
  },
});

export type HoldActivities = ReturnType<typeof createHoldActivities>;

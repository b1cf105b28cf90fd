import { settleAnswer } from '../../db/worklist/items.js';
import type { Sql } from '../../db/client.js';
import { failureTypes } from '../../domain/failures.js';
import type { GivenAnswer } from '../../domain/work-items.js';
import type { OwnerClient, OwnersAnswer } from '../../integrations/worklist/owner.js';
import { callLimits } from '../call-limits.js';
import { calling, permanentFailure } from '../failures.js';

export const createAnswerActivities = ({
  sql,
  owners,
}: {
  sql: Sql;
  owners: Readonly<Record<string, OwnerClient>>;
}) => ({
  /**
   * Hands the answer to the service whose item it is.
   *
   * Safe to retry: that service does each answer once.
   */
  async handAnswer({ source, itemId, ...answer }: GivenAnswer): Promise<OwnersAnswer> {
    const owner = owners[source];
    if (!owner) throw permanentFailure(failureTypes.rejected, `${source} takes no answers`);
    return calling(() => owner.answer(itemId, answer, callLimits()));
  },

  /**
   * Records what came of an answer: the item is closed, or waits for another one.
   *
   * Safe to retry: an answer that is settled stays as it is.
   */
  async recordAnswer(settled: {
    itemId: string;
    answer: string;
    by: string;
    refusal: string | null;
  }): Promise<void> {
    await settleAnswer(sql, settled);
  },
});

export type AnswerActivities = ReturnType<typeof createAnswerActivities>;

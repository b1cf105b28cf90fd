import { settleAnswer } from '../../db/worklist/items.js';
import type { Sql } from '../../db/client.js';
import { failureTypes } from '../../domain/failures.js';
import type { GivenAnswer } from '../../domain/work-items.js';
import type { OwnerClient, OwnersAnswer } from '../../integrations/worklist/owner.js';
import { calling, callLimits, permanentFailure } from '../calls.js';

export const createAnswerActivities = ({
  sql,
  owners,
}: {
  sql: Sql;
  owners: Readonly<Record<string, OwnerClient>>;
}) => ({
  /** Sends the answer to the service of the work item. Safe to retry: that service applies each answer once. */
  async handAnswer({ source, itemId, ...answer }: GivenAnswer): Promise<OwnersAnswer> {
    const owner = owners[source];
    if (!owner) throw permanentFailure(failureTypes.rejected, `${source} takes no answers`);
    return calling(() => owner.answer(itemId, answer, callLimits()));
  },

  /** Closes the item, or lets it wait for another answer. Safe to retry: a recorded result stays. */
  recordAnswer: (settled: Parameters<typeof settleAnswer>[1]) => settleAnswer(sql, settled),
});

export type AnswerActivities = ReturnType<typeof createAnswerActivities>;

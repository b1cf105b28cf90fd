import { randomUUID } from 'node:crypto';
import type { StatementActivities } from '../../../activities/orchestrator/statements.js';
import { db } from '../real-parts.js';
import type { Entries } from '../twice.js';

/** A statement of days of long ago, with one bill that nobody ordered. */
async function posted() {
  const statementId = randomUUID();
  await db`
    insert into orchestrator.statement (id, pharmacy, from_day, to_day, sha256, lines, billed_cents)
    values (${statementId}, 'pharmacy_a', '1900-01-01', '1900-01-31', 'hash', 1, 100)
  `;
  await db`
    insert into orchestrator.statement_bill (statement_id, n, pharmacy_order_id, amount_cents, day)
    values (${statementId}, 0, ${`case_${statementId}`}, 100, '1900-01-01')
  `;
  return statementId;
}

/** The entries of a statement's reconciliation. */
export const statements: Entries<StatementActivities> = {
  readShipped: async () => {
    const statementId = await posted();
    return {
      input: { statementId, cursor: null },
      answers: null,
      seen: () => db`select 1 from orchestrator.statement_order where statement_id = ${statementId}`,
      once: [],
    };
  },
  matchBills: async () => {
    const statementId = await posted();
    return {
      input: { statementId },
      answers: true,
      thenAnswers: false,
      seen: () => db`select kind from orchestrator.close_line where statement_id = ${statementId}`,
      once: [{ kind: 'bill_without_order' }],
    };
  },
  finishStatement: async () => {
    const statementId = await posted();
    return {
      input: { statementId },
      seen: () => db`select state from orchestrator.statement where id = ${statementId}`,
      once: [{ state: 'reconciled' }],
    };
  },
};

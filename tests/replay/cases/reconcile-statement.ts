import type { StatementActivities } from '../../../activities/orchestrator/statements.js';
import type { reconcileStatement as workflow } from '../../../workflows/orchestrator/reconcile-statement.js';
import { goodActivities } from '../../workflows/orchestrator/pipeline-activities.js';
import type { CasesOf, Expected } from '../cases.js';

const statementId = '01980000-0000-7000-8000-000000000133';

/** A statement with pages of shipped orders and of bills. */
function statement(expect: Expected, { shipped = 1, billed = 1 } = {}) {
  let matches = 0;
  const activities: StatementActivities = {
    readShipped: async ({ cursor }) => {
      const read = Number(cursor ?? 0) + 1;
      return read < shipped ? String(read) : null;
    },
    matchBills: async () => (matches += 1) <= billed,
    finishStatement: async () => undefined,
  };
  return {
    expect,
    args: [{ statementId }] as [{ statementId: string }],
    activities: { ...goodActivities(), ...activities },
  };
}

export const reconcileStatement: CasesOf<typeof workflow> = {
  reconciled: statement(
    {
      behavior: 'what was shipped is read to its last page before anything is matched',
      result: { statementId },
      times: { readShipped: 3, matchBills: 3, finishStatement: 1 },
    },
    { shipped: 3, billed: 2 },
  ),
  'continued-as-new': statement(
    {
      behavior: 'a large statement continues as a new run, which reads nothing again',
      result: { statementId },
      times: { readShipped: 2, matchBills: 42, finishStatement: 1 },
    },
    { shipped: 2, billed: 41 },
  ),
};

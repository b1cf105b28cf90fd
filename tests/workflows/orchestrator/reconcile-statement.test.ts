import { describe } from '@jest/globals';
import { reconcileStatement } from '../../replay/cases/reconcile-statement.js';
import { useRuns } from '../runs.js';

describe('the reconciliation of a statement', () => {
  const { testCases } = useRuns('reconcileStatement');
  testCases(reconcileStatement);
});

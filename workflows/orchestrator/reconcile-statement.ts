import { continueAsNew, setCurrentDetails } from '@temporalio/workflow';
import type { StatementActivities } from '../../activities/orchestrator/statements.js';
import { localFirst } from '../proxies.js';

/** Keeps a history short enough to read. */
const pagesPerRun = 40;

/** A page waits out the router, as it waits out our own database. */
const pages = localFirst<StatementActivities>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

/**
 * Reconciles a pharmacy's statement (D133). It reads the orders shipped on the statement's days and matches them with
 * the bills, page by page.
 */
export async function reconcileStatement({
  statementId,
  cursor = '',
}: {
  statementId: string;
  /** The page to read; empty for the first one, null after the last one. */
  cursor?: string | null;
}): Promise<{ statementId: string }> {
  let read = 0;
  let next = cursor;
  const goOn = () => continueAsNew<typeof reconcileStatement>({ statementId, cursor: next });
  while (next !== null) {
    if (read === pagesPerRun) return goOn();
    setCurrentDetails('**Reads** what the pharmacy shipped');
    next = await pages('Read shipped orders').readShipped({ statementId, cursor: next || null });
    read += 1;
  }
  setCurrentDetails('**Matches** what it bills');
  while (await pages('Match the next order ids').matchBills({ statementId })) {
    read += 1;
    if (read >= pagesPerRun) return goOn();
  }
  await pages('End the reconciliation').finishStatement({ statementId });
  setCurrentDetails('**Reconciled**');
  return { statementId };
}

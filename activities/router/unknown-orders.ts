import { activityInfo } from '@temporalio/activity';
import type { Sql } from '../../db/client.js';
import type { PharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import {
  type Asked,
  findUnknownOrder,
  reportUnknownOrder,
  reconcileUnknownOrder,
  type UnknownOrder,
} from '../../db/router/unknown-orders.js';
import { systemOf } from '../../domain/pharmacies.js';
import { looksLeft } from '../../domain/settling.js';
import type { OrderReport } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { OutboundError } from '../../platform/http/outbound.js';
import { callLimits } from '../calls.js';

export interface UnknownOrderDependencies {
  sql: Sql;
  pharmacies: Pharmacies;
  /** When to ask, in seconds after the lost response. */
  settleSeconds: readonly number[];
}

/** `over`: the outcome is known by other means, or a repeated submission is finding out. */
export type Found = 'exists' | 'absent' | 'unanswered' | 'over';

export const createUnknownOrderActivities = (deps: UnknownOrderDependencies) => ({
  /** Reads an order whose existence is unknown, and plans when to ask for it. Safe to retry: it only reads. */
  async openUnknownOrder({ submissionId }: { submissionId: string }) {
    const order = await findUnknownOrder(deps.sql, submissionId);
    if (!order || order.outcome === 'missing') return null;
    const { claimId, pharmacy, outcome, unknownSince } = order;
    // An order that the pharmacy accepted is looked for at once (D138).
    const seconds = outcome === 'accepted' ? [0, ...deps.settleSeconds] : deps.settleSeconds;
    return { claimId, pharmacy, looksAtMs: looksLeft(unknownSince.getTime(), seconds, Date.now()) };
  },

  /**
   * Asks the pharmacy for an order by our reference and reconciles the submission (D114, D138). Safe to retry: asking
   * orders nothing, and a submission is reconciled once.
   */
  async askForOrder({ submissionId, claimId }: Asked): Promise<Found> {
    const order = await findUnknownOrder(deps.sql, submissionId);
    if (order?.claimId !== claimId) return 'over';
    const found = await find(deps, submissionId, order);
    if (found === undefined) return 'unanswered';
    const isRecorded = await reconcileUnknownOrder(
      deps.sql,
      { submissionId, claimId },
      {
        pharmacyOrderId: found?.pharmacyOrderId ?? null,
        response: JSON.stringify(found),
        progress: found ? progressOf(order, found) : undefined,
      },
    );
    if (!isRecorded) return 'over';
    return found ? 'exists' : 'absent';
  },

  /**
   * Opens a work item for an order without an answer. Safe to retry: an order has one work item.
   * @returns whether its existence is still unknown
   */
  async reportUnknownOrder(asked: Asked): Promise<boolean> {
    const workflowId = activityInfo().workflowExecution?.workflowId ?? '';
    return reportUnknownOrder(deps.sql, { ...asked, workflowId });
  },
});

export type UnknownOrderActivities = ReturnType<typeof createUnknownOrderActivities>;
export type Unknown = NonNullable<Awaited<ReturnType<UnknownOrderActivities['openUnknownOrder']>>>;

/** @returns null when the pharmacy has none, undefined without a usable response */
async function find(
  { pharmacies }: UnknownOrderDependencies,
  reference: string,
  { pharmacy, isTest: test }: UnknownOrder,
): Promise<OrderReport | null | undefined> {
  try {
    return (await pharmacies[pharmacy].findOrder(reference, { test, ...callLimits() })) ?? null;
  } catch (error) {
    if (error instanceof OutboundError) return undefined;
    throw error;
  }
}

/** @returns undefined if the order is only received */
function progressOf({ pharmacy, isTest }: UnknownOrder, found: OrderReport): PharmacyUpdate | undefined {
  const { pharmacyOrderId, hold, ...progress } = found;
  if (progress.status === null && progress.trackingNumber === null && hold === null) return undefined;
  return {
    webhook: systemOf(pharmacy),
    pharmacies: [pharmacy],
    isTest,
    pharmacyOrderIds: [pharmacyOrderId],
    ...progress,
    ...(hold && { hold: { opened: hold } }),
    isFound: true,
    body: JSON.stringify(found),
  };
}

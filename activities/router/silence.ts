import { cancellationSignal } from '@temporalio/activity';
import type { Sql } from '../../db/client.js';
import { applyPharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { noteSilence, type SilentOrder, takeSilentOrders } from '../../db/router/silence.js';
import { pharmaciesOf, type PharmacySystem, systemOf } from '../../domain/pharmacies.js';
import type { OrderReport } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { OutboundError } from '../../platform/http/outbound.js';

/** Orders per page, asked for one after the other. */
const pageSize = 10;
const timeoutMs = 4_000;

export interface SilenceDependencies {
  sql: Sql;
  pharmacies: Pharmacies;
  /** Ask about orders that are silent for this long (`PHARMACY_SILENCE_HOURS`); 0 turns it off. */
  silentMs: number;
}

export interface AskedPage {
  asked: number;
  /** Orders of them without a response. */
  inVain: number;
}

export const createSilenceActivities = (deps: SilenceDependencies) => ({
  /**
   * Asks a pharmacy for the next silent orders, one after the other (D102). An answer counts as a webhook. After
   * three missing responses a work item opens. Safe to retry: asking changes nothing at the pharmacy, and a repeat
   * continues with the rest.
   * @param page `since` is the start of the check in epoch milliseconds; an order is asked for once per check
   */
  async askSilentOrders(page: { pharmacy: PharmacySystem; since: number }): Promise<AskedPage> {
    const { sql, silentMs } = deps;
    if (silentMs === 0) return { asked: 0, inVain: 0 };
    const taken = await takeSilentOrders(sql, {
      pharmacies: pharmaciesOf(page.pharmacy),
      silentMs,
      since: new Date(page.since),
      limit: pageSize,
    });
    let inVain = 0;
    for (const order of taken) if (!(await isAnswered(deps, order))) inVain += 1;
    return { asked: taken.length, inVain };
  },
});

export type SilenceActivities = ReturnType<typeof createSilenceActivities>;

/** Asks for one order and applies the answer. @returns false without a response */
async function isAnswered({ sql, pharmacies }: SilenceDependencies, order: SilentOrder): Promise<boolean> {
  const { pharmacy, pharmacyOrderId, isTest: test, askedAt } = order;
  let report: OrderReport | undefined;
  try {
    report = await pharmacies[pharmacy].askStatus(pharmacyOrderId, {
      test,
      timeoutMs,
      signal: cancellationSignal(),
    });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    await noteSilence(sql, order);
    return false;
  }
  await applyPharmacyUpdate(sql, {
    webhook: systemOf(pharmacy),
    pharmacies: [pharmacy],
    isTest: test,
    pharmacyOrderIds: [pharmacyOrderId],
    status: report?.status ?? null,
    trackingNumber: report?.trackingNumber ?? null,
    carrier: report?.carrier ?? null,
    ...(report && { hold: report.hold ? { opened: report.hold } : { none: true } }),
    // A pharmacy that does not know the order has answered too.
    isUnknown: !report,
    body: JSON.stringify(report ?? null),
    askedAt,
  });
  return true;
}

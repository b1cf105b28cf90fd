import { cancellationSignal } from '@temporalio/activity';
import type { Sql } from '../../db/client.js';
import { applyPharmacyUpdate } from '../../db/router/pharmacy-updates.js';
import { noteSilence, type SilentOrder, takeSilentOrders } from '../../db/router/silence.js';
import { pharmaciesOf, type PharmacySystem, systemOf } from '../../domain/pharmacies.js';
import type { OrderReport } from '../../integrations/pharmacies/adapter.js';
import type { Pharmacies } from '../../integrations/pharmacies/registry.js';
import { OutboundError } from '../../platform/http/outbound.js';

/** Orders of one page, which are asked for one after the other. */
const pageSize = 10;
const timeoutMs = 4_000;

export interface SilenceDependencies {
  sql: Sql;
  pharmacies: Pharmacies;
  /** Silence of this length is asked about; 0: nothing is (`PHARMACY_SILENCE_HOURS`). */
  silentMs: number;
}

export interface AskedPage {
  asked: number;
  /** Of them those that the pharmacy gave no answer about. */
  inVain: number;
}

export const createSilenceActivities = (deps: SilenceDependencies) => ({
  /**
   * Asks a pharmacy for the next orders of which it has said nothing for so long, one after the other (D102). Its answer
   * counts as a webhook; none is noted, and after three of them a person is asked.
   * @param since epoch milliseconds of the check's begin: an order is asked for once in it
   *
   * Safe to retry: asking changes nothing at the pharmacy, and a repeat goes on with those that were not asked for yet.
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
    for (const order of taken) if (!(await isHeard(deps, order))) inVain += 1;
    return { asked: taken.length, inVain };
  },
});

export type SilenceActivities = ReturnType<typeof createSilenceActivities>;

/** Asks for one order and applies the answer. @returns false when the pharmacy gave none */
async function isHeard({ sql, pharmacies }: SilenceDependencies, order: SilentOrder): Promise<boolean> {
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
    // An order that the pharmacy does not know is an answer too, of which a log line is all that is left.
    body: JSON.stringify(report ?? null),
    askedAt,
  });
  return true;
}

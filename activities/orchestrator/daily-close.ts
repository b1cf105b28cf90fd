import { addDays, type CalendarDay, type Period, periodsOf } from '../../domain/calendar.js';
import { readBooks } from '../../domain/orchestrator/close-books.js';
import { judge } from '../../domain/orchestrator/daily-close.js';
import type { Sql } from '../../db/client.js';
import type { Today } from '../../db/orchestrator/clock.js';
import {
  finishClose,
  listFacts,
  listOwnBooks,
  type NewFact,
  nextReferences,
  openClose,
  stageFacts,
  stagePayments,
  writeLines,
} from '../../db/orchestrator/closes.js';
import { closeSources, nightOf } from '../../integrations/close-sources.js';
import type { CallLimits } from '../../platform/http/outbound.js';
import type { OrderClient } from '../../integrations/router/orders.js';
import type { ShippingClient } from '../../integrations/shipping/client.js';
import type { ProcessorLedger } from '../../integrations/stripe/ledger.js';
import { startOfDay } from '../../platform/start-of-day.js';
import { callingUntilAccepted, callLimits } from '../calls.js';
import { rest } from '../resting.js';

/** `own`: our charges and refunds. */
export type CloseSource = 'orders' | 'charges' | 'refunds' | 'labels' | 'own';

const kindOf = { orders: 'order', charges: 'charge', refunds: 'refund', labels: 'label' } as const;
const referencesAtOnce = 200;
/** Well within a local try, whatever the last call takes. */
const readForMs = 1_000;
/** How long a close rests after a page, as a multiple of its work. */
const restTimes = 0.2;
/** Facts that are stored by one statement. */
const factsAtOnce = 1_000;

interface Parts {
  sql: Sql;
  orders: OrderClient;
  shipping: ShippingClient;
  ledger: ProcessorLedger;
  today: Today;
  timeZone: string;
}

export const createCloseActivities = (parts: Parts) => {
  const { sql, orders, shipping, ledger, today, timeZone } = parts;

  /** One page of a source; `next` is where the page after it begins. */
  async function pageOf(
    source: Exclude<CloseSource, 'own'>,
    period: { from: Date; to: Date },
    cursor: string | null,
    limits: CallLimits,
  ): Promise<{ facts: NewFact[]; next: string | null }> {
    switch (source) {
      case 'orders': {
        const page = await orders.listOrders({ ...period, cursor }, limits);
        const accepted = page.orders.filter(
          ({ pharmacyOrderId, status }) => pharmacyOrderId !== null && status !== 'failed',
        );
        return {
          next: page.nextCursor,
          facts: accepted.map(({ id, reference, status, submittedAt, pharmacy }) => ({
            id,
            under: reference,
            detail: status,
            intentId: null,
            cents: 0,
            at: submittedAt,
            pharmacy,
          })),
        };
      }
      case 'charges': {
        const page = await ledger.listCharges({ ...period, after: cursor }, limits.timeoutMs);
        return {
          next: page.next,
          facts: page.charges.map(({ id, intentId, cents, at }) => ({
            id,
            under: id,
            detail: intentId,
            intentId,
            cents,
            at,
          })),
        };
      }
      case 'refunds': {
        const page = await ledger.listRefunds({ ...period, after: cursor }, limits.timeoutMs);
        return {
          next: page.next,
          facts: page.refunds.map(({ id, chargeId, intentId, cents, at }) => ({
            id,
            under: chargeId ?? id,
            detail: chargeId,
            intentId,
            cents,
            at,
          })),
        };
      }
      case 'labels': {
        const page = await shipping.listShipments({ ...period, cursor }, limits);
        return {
          next: page.nextCursor,
          facts: page.shipments.map(({ shipmentId, reference, createdAt }) => ({
            id: shipmentId,
            under: reference,
            detail: null,
            intentId: null,
            cents: 0,
            at: createdAt,
          })),
        };
      }
    }
  }

  return {
    /**
     * The day that the schedule closes. Safe to retry: it only reads.
     * @param scheduled when the run was due (ISO 8601); it may begin on a later day
     */
    dayToClose: async ({ scheduled }: { scheduled: string | null }): Promise<CalendarDay> =>
      addDays(await today(scheduled === null ? undefined : new Date(scheduled)), -1),

    /**
     * Opens the close of a day. Safe to retry: a day has one close.
     * @returns the days that it reads; null for a closed day
     */
    async openClose({ date }: { date: CalendarDay }): Promise<Period[] | null> {
      const days = await openClose(sql, date);
      return days && periodsOf(days);
    },

    /**
     * Reads pages of what happened on some days. Safe to retry: each fact is stored once.
     * @returns where the next page begins; null after the last one
     */
    async readPages(pages: {
      date: CalendarDay;
      days: Period;
      source: CloseSource;
      cursor: string | null;
    }): Promise<string | null> {
      const { date, days, source, cursor } = pages;
      const period = { from: startOfDay(days.from, timeZone), to: startOfDay(addDays(days.to, 1), timeZone) };
      if (source === 'own') {
        await stagePayments(sql, date, period);
        return null;
      }
      const { timeoutMs, signal } = callLimits();
      const begunAt = performance.now();
      const spentMs = () => Math.round(performance.now() - begunAt);
      const read: NewFact[] = [];
      let at = cursor;
      for (let isOver = false; !isOver;) {
        const limits = { timeoutMs: timeoutMs - spentMs(), signal };
        const { facts, next } = await callingUntilAccepted(() => pageOf(source, period, at, limits));
        read.push(...facts);
        at = next;
        isOver = at === null || spentMs() >= readForMs;
        if (isOver || read.length >= factsAtOnce) await stageFacts(sql, date, kindOf[source], read.splice(0));
      }
      await rest(begunAt, restTimes);
      return at;
    },

    /**
     * Matches the next references of a close. Safe to retry: a page's lines are written with the mark behind it.
     * @returns whether there may be more
     */
    async matchPage({ date }: { date: CalendarDay }): Promise<boolean> {
      const begunAt = performance.now();
      const next = await nextReferences(sql, date, referencesAtOnce);
      const [head, last] = [next[0], next.at(-1)];
      if (!head || !last) return false;
      const references = next.map(({ reference }) => reference);
      // A page may ask for each reference, so a call gets a part of the time.
      const { timeoutMs, signal } = callLimits();
      const limits = { timeoutMs: Math.min(timeoutMs, 5_000), signal };
      const asked = closeSources(parts, nightOf(startOfDay(addDays(date, 1), timeZone)), limits);
      const books = await callingUntilAccepted(() =>
        readBooks(
          {
            ...asked,
            listFacts: (some) => listFacts(sql, date, some),
            listOwnBooks: (some) => listOwnBooks(sql, some),
          },
          references,
        ),
      );
      await writeLines(sql, date, { after: head.matchedTo, to: last.reference }, books.flatMap(judge));
      await rest(begunAt, restTimes);
      return true;
    },

    /** Closes a day. Safe to retry: a closed day stays as it is. */
    finishClose: ({ date }: { date: CalendarDay }) => finishClose(sql, date),
  };
};

export type CloseActivities = ReturnType<typeof createCloseActivities>;

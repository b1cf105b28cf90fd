import { expectOk, OutboundError, type OutboundResponse, parseJson } from '../platform/http/outbound.js';
import { z } from 'zod';
import { fromPharmacyB, pharmacyBStatuses, type ReportedStatus } from '../domain/router/order-updates.js';

/** A pharmacy's word on an order. Everything else is an OutboundError and leaves open whether the order exists. */
export type PharmacyAnswer =
  | { accepted: true; pharmacyOrderId: string; response: string }
  | { accepted: false; status: number; error: string; response: string };

export interface CallOptions {
  idempotencyKey: string;
  /** Places the order with the pharmacy's sandbox (D24). */
  test: boolean;
  /** Bounds everything the call takes, a token included. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** An order as its pharmacy tells of it, in the router's words. */
export interface FoundOrder {
  pharmacyOrderId: string;
  /** null: taken, and nothing further. */
  status: ReportedStatus | null;
  trackingNumber: string | null;
  carrier: string | null;
}

/** Which orders a pharmacy is asked for. */
export interface FindOptions {
  /** Asks the pharmacy's sandbox (D24). */
  test: boolean;
  /** Bounds everything the call takes, a token included. */
  timeoutMs: number;
  signal?: AbortSignal;
}

const laterStatuses = new Set([408, 425, 429]);
/** Whether a status says no, rather than later or nothing. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !laterStatuses.has(status);

/** So much of the raw answer is kept; a real one is a hundredth of it. */
const maxKeptCharacters = 256 * 1024;
const maxErrorCharacters = 500;

export const orderId = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/**
 * Reads what a pharmacy answered to an order.
 * @param parseId takes the order's id from a 2xx body
 * @throws OutboundError for 408, 425, 429 and 5xx, and for a 2xx without an id, which is a lost answer
 */
export function readPharmacyAnswer(
  party: string,
  response: OutboundResponse,
  parseId: (body: unknown) => string | undefined,
): PharmacyAnswer {
  const { status } = response;
  // A NUL is valid in an answer and breaks the database write.
  const kept = response.body.replaceAll('\0', '').slice(0, maxKeptCharacters);
  if (isRefusal(status))
    return { accepted: false, status, error: errorText(party, response), response: kept };
  const pharmacyOrderId = parseId(parseJson(party, expectOk(party, response)));
  if (pharmacyOrderId === undefined) throw new OutboundError(party, { kind: 'malformed' });
  return { accepted: true, pharmacyOrderId, response: kept };
}

const refusal = z.object({ error: z.string().min(1) });

/** The pharmacy's own text where it gives one (the 502 of page 1, Router endpoints), as one line. */
function errorText(party: string, response: OutboundResponse): string {
  const fallback = `${party} answered ${response.status}`;
  try {
    const { error } = refusal.parse(JSON.parse(response.body));
    return (
      error
        .replace(/\p{C}+/gu, ' ')
        .trim()
        .slice(0, maxErrorCharacters) || fallback
    );
  } catch {
    return fallback;
  }
}

/** What a pharmacy says of an order's state; the one word that no webhook brings is that the order was received. */
export const toldStatus = z
  .enum([...pharmacyBStatuses, 'received'])
  .transform((status): ReportedStatus | null => (status === 'received' ? null : fromPharmacyB(status)));

/** A text that a pharmacy may leave out; an empty one tells nothing. */
export const toldText = z
  .string()
  .nullish()
  .transform((text) => (text === undefined || text === '' ? null : text));

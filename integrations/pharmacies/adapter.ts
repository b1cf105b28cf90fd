import { z } from 'zod';
import { retriedStatuses } from '../../domain/http-status.js';
import type { Catalog } from '../../domain/router/articles.js';
import { asShipTo } from '../../domain/router/ordered.js';
import type { PrescriptionSubmission } from '../../domain/router/submission.js';
import type { ServiceConfig } from '../../platform/config.js';
import {
  expectOk,
  OutboundError,
  type OutboundResponse,
  parseAnswer,
  parseJson,
} from '../../platform/http/outbound.js';
import type { HoldAnswer, ReportedHold } from '../../domain/router/holds.js';
import {
  type OrderUpdate,
  type ReportedStatus,
  reportedStatuses,
} from '../../domain/router/order-updates.js';
import {
  codeOf,
  type DenialReason,
  knownWord,
  type PharmacyWords,
} from '../../domain/router/pharmacy-words.js';

/** A pharmacy's answer to an order. After an OutboundError the order may exist. */
export type PharmacyAnswer =
  | { accepted: true; pharmacyOrderId: string; response: string }
  | { accepted: false; status: number; error: string; response: string };

interface CallOptions {
  idempotencyKey: string;
  /** Calls the pharmacy's sandbox (D24). */
  test: boolean;
  /** Includes the time for a token. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** True if a status is a final rejection. */
export const isRejection = (status: number): boolean =>
  status >= 400 && status < 500 && !retriedStatuses.includes(status);

/** The state of an order at the pharmacy. */
export interface OrderReport extends OrderUpdate {
  pharmacyOrderId: string;
  /** The newest open hold. */
  hold: ReportedHold | null;
}

export type CancelAnswer = { state: 'approved' } | { state: 'denied'; reason: DenialReason };

export type HoldReply = { taken: true } | { taken: false; error: string };

type CallLimits = Omit<CallOptions, 'idempotencyKey'>;

/** A pharmacy, with the system that takes its orders. Calls without a usable answer throw OutboundError. */
export interface PharmacyAdapter {
  catalog: Catalog;
  /** Places one order per idempotency key. @param reference the submission's id */
  placeOrder: (
    reference: string,
    order: { article: string; submission: PrescriptionSubmission },
    options: CallOptions,
  ) => Promise<PharmacyAnswer>;
  /** @returns undefined for an unknown order */
  askStatus: (pharmacyOrderId: string, limits: CallLimits) => Promise<OrderReport | undefined>;
  /** The newest order with our reference, the submission's id. */
  findOrder: (reference: string, limits: CallLimits) => Promise<OrderReport | undefined>;
  /** Cancels an order, once per idempotency key. An unknown one is denied as `not_found` (D101). */
  cancelOrder: (
    pharmacyOrderId: string,
    reason: string | null,
    options: CallOptions,
  ) => Promise<CancelAnswer>;
  /** Answers a hold, once per idempotency key (D100). */
  answerHold: (
    hold: { pharmacyOrderId: string; holdId: string },
    answer: HoldAnswer,
    options: CallOptions,
  ) => Promise<HoldReply>;
}

/** An order update from a webhook. */
export interface WebhookNews extends OrderUpdate {
  pharmacyOrderId: string;
  hold?: { opened: ReportedHold } | { released: string };
}

export interface PharmacyWebhook {
  body: z.ZodType;
  /** @param body validated by `body` */
  read: (body: never) => WebhookNews;
}

export interface PharmacySystemDefinition {
  words: PharmacyWords;
  webhook: PharmacyWebhook;
  create: (settings: ServiceConfig<'router'>) => PharmacyAdapter;
}

/** One HTTP call of a pharmacy's API, with its credentials. @param path after the collection of its orders */
export type Send = (
  call: { path: string; idempotencyKey?: string; body?: object },
  limits: CallLimits,
) => Promise<OutboundResponse>;

/** Sends a new address as an order would. */
const asHanded = ({ changes, ...answer }: HoldAnswer): HoldAnswer => ({
  ...answer,
  ...(changes && { changes: { ...changes, ...(changes.shipTo && { shipTo: asShipTo(changes.shipTo) }) } }),
});

/** The request of a call, without its credentials. */
export const requestOf = ({ idempotencyKey, body }: Parameters<Send>[0]) => ({
  method: body === undefined ? ('GET' as const) : ('POST' as const),
  headers: {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

/** Calls about one order: pharmacies share the paths, but have their own fields. */
export function orderCalls(
  party: string,
  send: Send,
  native: {
    /** Query parameter of our reference. */
    reference: string;
    order: z.ZodType<OrderReport>;
    /** Oldest first, each with the reference that its order gave. */
    orders: z.ZodType<{ reference: string; report: OrderReport }[]>;
    cancellation: z.ZodType<CancelAnswer>;
    holdAnswer: (answer: HoldAnswer) => object;
  },
): Pick<PharmacyAdapter, 'askStatus' | 'findOrder' | 'cancelOrder' | 'answerHold'> {
  return {
    async askStatus(id, limits) {
      const response = await send({ path: `/${encodeURIComponent(id)}` }, limits);
      if (response.status === 404) return undefined;
      const report = parseAnswer(party, response, native.order);
      if (report.pharmacyOrderId !== id) throw new OutboundError(party, { kind: 'malformed' });
      return report;
    },
    async findOrder(reference, limits) {
      const query = new URLSearchParams({ [native.reference]: reference }).toString();
      const listed = parseAnswer(party, await send({ path: `?${query}` }, limits), native.orders);
      const ours = listed.filter((order) => order.reference === reference);
      // A list of other orders does not answer the query, so it does not say that ours is missing.
      if (listed.length > 0 && ours.length === 0) throw new OutboundError(party, { kind: 'malformed' });
      // Older ones belong to attempts that were reconciled.
      return ours.at(-1)?.report;
    },
    async cancelOrder(id, reason, { idempotencyKey, ...limits }) {
      const body = reason === null ? {} : { reason };
      const path = `/${encodeURIComponent(id)}/cancel`;
      const response = await send({ path, idempotencyKey, body }, limits);
      if (response.status === 404) return { state: 'denied', reason: 'not_found' };
      return parseAnswer(party, response, native.cancellation);
    },
    async answerHold({ pharmacyOrderId, holdId }, answer, { idempotencyKey, ...limits }) {
      const path = `/${encodeURIComponent(pharmacyOrderId)}/holds/${encodeURIComponent(holdId)}/answer`;
      const call = { path, idempotencyKey, body: native.holdAnswer(asHanded(answer)) };
      return readHoldReply(party, await send(call, limits));
    },
  };
}

/** @param said the pharmacy's own code of a denial */
export const cancelAnswer = (
  { denials }: PharmacyWords,
  state: 'approved' | 'denied',
  said: string | undefined,
): CancelAnswer =>
  state === 'approved' ? { state } : { state, reason: codeOf(denials, said ?? '') ?? 'other' };

function readHoldReply(party: string, response: OutboundResponse): HoldReply {
  if (isRejection(response.status)) return { taken: false, error: errorText(party, response) };
  expectOk(party, response);
  return { taken: true };
}

/** Our status for a pharmacy's status; null if the order is only received, or the status unknown. */
export const reportedStatus = (said: string | undefined): ReportedStatus | null =>
  said === undefined ? null : (knownWord(reportedStatuses, said) ?? null);

/** Limit of the stored raw answer; real ones are a hundredth of it. */
const maxKeptCharacters = 256 * 1024;
const maxErrorCharacters = 500;

export const orderId = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/**
 * Reads a pharmacy's answer to an order.
 * @param parseId gets the order's id from a 2xx body
 * @throws OutboundError for a retried status, and for a 2xx without an id, which counts as a lost answer
 */
export function readPharmacyAnswer(
  party: string,
  response: OutboundResponse,
  parseId: (body: unknown) => string | undefined,
): PharmacyAnswer {
  const { status } = response;
  // Postgres rejects NUL.
  const kept = response.body.replaceAll('\0', '').slice(0, maxKeptCharacters);
  if (isRejection(status))
    return { accepted: false, status, error: errorText(party, response), response: kept };
  const pharmacyOrderId = parseId(parseJson(party, expectOk(party, response)));
  if (pharmacyOrderId === undefined) throw new OutboundError(party, { kind: 'malformed' });
  return { accepted: true, pharmacyOrderId, response: kept };
}

const rejection = z.object({ error: z.string().min(1) });

/** The pharmacy's own error text as one line (the 502 of page 1, Router endpoints). */
function errorText(party: string, response: OutboundResponse): string {
  const fallback = `${party} answered ${response.status}`;
  try {
    const { error } = rejection.parse(JSON.parse(response.body));
    return (
      error
        .replace(/\p{C}+/gu, ' ')
        .trim()
        .slice(0, maxErrorCharacters)
        // Half of a cut pair is no text for JSON in Postgres.
        .replace(/\p{Surrogate}$/u, '') || fallback
    );
  } catch {
    return fallback;
  }
}

/** Without white space around it; null for a text that has nothing else. */
export const textOf = (text: string | undefined): string | null => {
  const trimmed = text?.trim();
  return trimmed === undefined || trimmed === '' ? null : trimmed;
};

import { z } from 'zod';
import { retriedStatuses } from '../../domain/http-status.js';
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
import type { DenialReason, PharmacyWords } from '../../domain/router/pharmacy-words.js';

/** A pharmacy's word on an order. Everything else is an OutboundError and leaves open whether the order exists. */
export type PharmacyAnswer =
  | { accepted: true; pharmacyOrderId: string; response: string }
  | { accepted: false; status: number; error: string; response: string };

interface CallOptions {
  idempotencyKey: string;
  /** Places the order with the pharmacy's sandbox (D24). */
  test: boolean;
  /** Bounds everything the call takes, a token included. */
  timeoutMs: number;
  signal?: AbortSignal;
}

/** Whether a status says no, rather than later or nothing. */
export const isRefusal = (status: number): boolean =>
  status >= 400 && status < 500 && !retriedStatuses.includes(status);

/** What a pharmacy tells of an order that it is asked for. */
export interface OrderReport extends OrderUpdate {
  pharmacyOrderId: string;
  /** The newest open one. */
  hold: ReportedHold | null;
}

/** What a pharmacy says to a cancellation. */
export type CancelAnswer = { state: 'approved' } | { state: 'denied'; reason: DenialReason };

/** What a pharmacy says to an answer to its hold; `error` is its text. */
export type HoldReply = { taken: true } | { taken: false; error: string };

/** Bounds a call. */
type CallLimits = Omit<CallOptions, 'idempotencyKey'>;

/**
 * One pharmacy, whichever system takes its orders. `integrations/pharmacies/registry.ts` has one for each, so an order
 * is asked for, cancelled and answered where it was placed.
 * @throws OutboundError from every call that brings no answer to go by
 */
export interface PharmacyAdapter {
  /** Whether the pharmacy has an article for a medication, by its free text, as far as we know its articles (D105, D106). */
  carries: (medicationName: string) => boolean;
  /** Places one order per idempotency key. @param reference ours, the submission's id; not called for what it does not carry */
  placeOrder: (
    reference: string,
    submission: PrescriptionSubmission,
    options: CallOptions,
  ) => Promise<PharmacyAnswer | NotCarried>;
  /** @returns undefined for an order that it does not know */
  askStatus: (pharmacyOrderId: string, limits: CallLimits) => Promise<OrderReport | undefined>;
  /** The newest order under our reference, the submission's id. */
  findOrder: (reference: string, limits: CallLimits) => Promise<OrderReport | undefined>;
  /** Cancels an order, once per idempotency key. One that it does not know is denied as `not_found` (D101). */
  cancelOrder: (
    pharmacyOrderId: string,
    reason: string | null,
    options: CallOptions,
  ) => Promise<CancelAnswer>;
  /** Hands over the answer to a hold, once per idempotency key (D100). */
  answerHold: (
    hold: { pharmacyOrderId: string; holdId: string },
    answer: HoldAnswer,
    options: CallOptions,
  ) => Promise<HoldReply>;
}

/** No order is placed, and the pharmacy is not called (D20). */
export interface NotCarried {
  notCarried: string;
}

/** What a webhook tells of an order. */
export interface WebhookNews extends OrderUpdate {
  pharmacyOrderId: string;
  hold?: { opened: ReportedHold } | { released: string };
}

export interface PharmacyWebhook {
  body: z.ZodType;
  /** @param body has been checked against `body` */
  read: (body: never) => WebhookNews;
}

/** Everything that differs between two systems. */
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

/** The calls on one order, which pharmacies answer alike but in their own fields. */
export function orderCalls(
  party: string,
  send: Send,
  native: {
    /** The query parameter that our reference goes in. */
    reference: string;
    order: z.ZodType<OrderReport>;
    /** Oldest first. */
    orders: z.ZodType<OrderReport[]>;
    cancellation: z.ZodType<CancelAnswer>;
    holdAnswer: (answer: HoldAnswer) => object;
  },
): Pick<PharmacyAdapter, 'askStatus' | 'findOrder' | 'cancelOrder' | 'answerHold'> {
  return {
    async askStatus(id, limits) {
      const response = await send({ path: `/${encodeURIComponent(id)}` }, limits);
      return response.status === 404 ? undefined : parseAnswer(party, response, native.order);
    },
    async findOrder(reference, limits) {
      const query = new URLSearchParams({ [native.reference]: reference }).toString();
      // An older one would be of a try that was settled before.
      return parseAnswer(party, await send({ path: `?${query}` }, limits), native.orders).at(-1);
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

/** A new address goes out as that of an order does. */
const asHanded = ({ changes, ...answer }: HoldAnswer): HoldAnswer => ({
  ...answer,
  ...(changes && { changes: { ...changes, ...(changes.shipTo && { shipTo: asShipTo(changes.shipTo) }) } }),
});

/** A cancellation's answer, a denial in our word. @param said the pharmacy's */
export const cancelAnswer = (
  { denials }: PharmacyWords,
  state: 'approved' | 'denied',
  said: string | undefined,
): CancelAnswer => (state === 'approved' ? { state } : { state, reason: denials.get(said ?? '') ?? 'other' });

/** Reads what a pharmacy answered to an answer to its hold. @throws OutboundError when that is no answer */
function readHoldReply(party: string, response: OutboundResponse): HoldReply {
  if (isRefusal(response.status)) return { taken: false, error: errorText(party, response) };
  expectOk(party, response);
  return { taken: true };
}

const statuses: readonly string[] = reportedStatuses;
/** The status of an order in our word; null for one that has only been received, or that we have no word for. */
export const reportedStatus = (said: string | undefined): ReportedStatus | null =>
  said !== undefined && statuses.includes(said) ? (said as ReportedStatus) : null;

/** So much of the raw answer is kept; a real one is a hundredth of it. */
const maxKeptCharacters = 256 * 1024;
const maxErrorCharacters = 500;

export const orderId = z.string().regex(/^[\x21-\x7e]{1,200}$/);

/**
 * Reads what a pharmacy answered to an order.
 * @param parseId takes the order's id from a 2xx body
 * @throws OutboundError for a retried status, and for a 2xx without an id, which is a lost answer
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

/** A text that a pharmacy may leave out; an empty one tells nothing. */
export const textOf = (text: string | undefined): string | null =>
  text === undefined || text === '' ? null : text;

import { type ApprovalErrorCode, approvalErrorCode } from './approval-errors.js';
import type { PipelineResult } from './pipeline.js';
import { refillOf } from './refills.js';

/** The type of an event's field. A list is a closed set of words. */
export type EventField = 'text' | 'text?' | 'integer' | 'integer?' | 'texts' | readonly string[];

const orderNamed = { submissionId: 'text?', pharmacy: 'text?', reference: 'text' } as const;
const parcel = { submissionId: 'text', trackingNumber: 'text?', carrier: 'text?' } as const;
const amount = { amountCents: 'integer', currency: 'text' } as const;
const refill = { scheduleId: 'text', n: 'integer?' } as const;
const planFill = { fill: 'integer?', phase: 'integer?' } as const;

/**
 * The events of a task, by type, for the client that asked for it (D129). Nothing personal is in it. The types, the
 * OpenAPI page and the typed client follow from this table. A field added to a released type can be null: stored events
 * lack it.
 */
export const eventFields = {
  'approval.completed': { runId: 'text', submissionId: 'text?', warnings: 'texts' },
  'approval.failed': { runId: 'text', failedStep: 'text?', code: 'text?' },
  'approval.denied': { runId: 'text' },
  'order.submitted': orderNamed,
  'order.rejected': { ...orderNamed, code: 'text?' },
  'order.cancelled': orderNamed,
  'order.held': { submissionId: 'text', holdId: 'text', code: 'text?', until: 'text?' },
  'order.released': { submissionId: 'text', holdId: 'text' },
  'order.shipped': parcel,
  'order.delivered': parcel,
  'order.rerouted': orderNamed,
  'order.replaced': { ...orderNamed, reason: 'text', paidBy: 'text' },
  'payment.succeeded': amount,
  'payment.failed': { ...amount, code: 'text?' },
  'payment.refunded': { ...amount, refundedCents: 'integer' },
  'payment.disputed': amount,
  'refill.sent': { ...refill, submissionId: 'text?' },
  'refill.failed': { ...refill, failedStep: 'text?', code: 'text?' },
  'refill.paused': { ...refill, reason: 'text' },
  'plan.waiting': { ...planFill, what: 'text', because: 'text', dueAt: 'text' },
  'plan.decided': planFill,
  'plan.completed': planFill,
  'plan.stopped': { ...planFill, reason: ['asked', 'cancelled'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, EventField>>>>;

export type EventType = keyof typeof eventFields;
export const eventTypes = Object.keys(eventFields) as EventType[];

interface FieldTypes {
  text: string;
  'text?': string | null;
  integer: number;
  'integer?': number | null;
  texts: readonly string[];
}
type ValueOf<F> = F extends keyof FieldTypes
  ? FieldTypes[F]
  : F extends readonly (infer Word)[]
    ? Word
    : never;
type EventData = {
  [T in EventType]: {
    [Name in keyof (typeof eventFields)[T]]: ValueOf<(typeof eventFields)[T][Name]>;
  };
};

/** An event to record. */
export type NewEvent = {
  [T in EventType]: {
    type: T;
    data: EventData[T];
    /** The task, or the reference of its order or charge; null for `plan.*`. */
    taskId: string | null;
    /** null: the plan of the task's schedule, if there is one. */
    planId?: string | null;
    /** Business facts that name the event. A second event of the same fact is not recorded. */
    fact?: string;
  };
}[EventType];

/** An event as its client reads it (D129). */
export type ClientEvent = {
  [T in EventType]: {
    id: string;
    /** From 1 without gaps per client. */
    sequence: number;
    type: T;
    /** ISO 8601. */
    at: string;
    taskId: string | null;
    planId: string | null;
    data: EventData[T];
  };
}[EventType];

/** Every field of the type and nothing else, null where the stored event lacks it. */
export const fieldsOf = (type: EventType, stored: Record<string, unknown>): ClientEvent['data'] =>
  Object.fromEntries(
    Object.keys(eventFields[type]).map((name) => [name, stored[name] ?? null]),
  ) as unknown as ClientEvent['data'];

/**
 * Expands a filter such as `order.*,refill.sent` into types.
 * @returns undefined when one of them is unknown
 */
export function typesNamed(filter: readonly string[]): EventType[] | undefined {
  const named = filter.map((name) =>
    eventTypes.filter((type) => (name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name)),
  );
  return named.some((types) => types.length === 0) ? undefined : [...new Set(named.flat())];
}

/** The failure of an approval or a refill, once per run. */
export function failedEvent(failed: {
  /** The task id, or the reference of a refill. */
  reference: string;
  runId: string;
  failedStep: string | null;
  code: ApprovalErrorCode | 'terminated';
}): NewEvent {
  const { reference, runId, failedStep, code } = failed;
  const refill = refillOf(reference);
  const taskId = reference;
  if (refill)
    return {
      type: 'refill.failed',
      taskId,
      fact: `refill.failed ${runId}`,
      data: { ...refill, failedStep, code },
    };
  return {
    type: 'approval.failed',
    taskId,
    fact: `approval.failed ${runId}`,
    data: { runId, failedStep, code },
  };
}

/** The events that the end of a run brings its client: about its order, and about the approval or refill. */
export function outcomeEvents(outcome: {
  reference: string;
  runId: string;
  result: PipelineResult;
  orderReference: string | null;
  pharmacy: string | null;
  isOrderUnknown: boolean;
  /** As the run names the failure, if it reports it. */
  code: string | undefined;
}): NewEvent[] {
  const { reference, runId, result, pharmacy, isOrderUnknown } = outcome;
  const { submissionId = null, failedStep = null, warnings } = result;
  const taskId = reference;
  const order = { submissionId, pharmacy, reference: outcome.orderReference ?? reference };
  const refill = refillOf(reference);
  if (!result.success) {
    const code = failureCode(result, isOrderUnknown, outcome.code);
    const failed = failedEvent({ reference, runId, failedStep, code });
    if (code !== 'order_rejected' && code !== 'medication_not_at_pharmacy') return [failed];
    const fact = `order.rejected ${runId}`;
    return [{ type: 'order.rejected', taskId, fact, data: { ...order, code } }, failed];
  }
  const ended: NewEvent = refill
    ? { type: 'refill.sent', taskId, fact: `refill.sent ${reference}`, data: { ...refill, submissionId } }
    : {
        type: 'approval.completed',
        taskId,
        fact: `approval.completed ${runId}`,
        data: { runId, submissionId, warnings },
      };
  if (submissionId === null) return [ended];
  return [{ type: 'order.submitted', taskId, fact: submittedFact(submissionId), data: order }, ended];
}

/** An order is submitted once, whichever run records it. */
export const submittedFact = (submissionId: string): string => `order.submitted ${submissionId}`;

function failureCode(
  { failedStep = 'medication_config', error = '' }: PipelineResult,
  isOrderUnknown: boolean,
  reported: string | undefined,
): ApprovalErrorCode {
  const code = approvalErrorCode({ step: failedStep, reason: error }, isOrderUnknown);
  // The type of the failure, which only the run knows, decides whether the pharmacy rejected it.
  return code === 'internal' && reported === 'order_rejected' ? reported : code;
}

/** A decline code; other texts may quote a request. */
export const declineCode = (reason: string | null): string | null =>
  reason !== null && /^[a-z_]{1,60}$/.test(reason) ? reason : null;

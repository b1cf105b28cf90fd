import { type ApprovalErrorCode, approvalErrorCode } from './approval-errors.js';
import type { PipelineResult } from './pipeline.js';
import { refillOf } from './refills.js';

type OrderNamed = { submissionId: string | null; pharmacy: string | null; reference: string };
type Parcel = { submissionId: string; trackingNumber: string | null; carrier: string | null };
type Amount = { amountCents: number; currency: string };
type Refill = { scheduleId: string; n: number | null };
type PlanFill = { fill: number | null; phase: number | null };

/** What became of a task, by type, for the client that asked for it (D129). Nothing personal is in it. */
interface EventData {
  'approval.completed': { runId: string; submissionId: string | null; warnings: readonly string[] };
  'approval.failed': { runId: string; failedStep: string | null; code: string | null };
  'approval.denied': { runId: string };
  'order.submitted': OrderNamed;
  'order.rejected': OrderNamed & { code: string | null };
  'order.cancelled': OrderNamed;
  'order.held': { submissionId: string; holdId: string; code: string | null; until: string | null };
  'order.released': { submissionId: string; holdId: string };
  'order.shipped': Parcel;
  'order.delivered': Parcel;
  'order.rerouted': OrderNamed;
  'order.replaced': OrderNamed & { reason: string; paidBy: string };
  'payment.succeeded': Amount;
  'payment.failed': Amount & { code: string | null };
  'payment.refunded': Amount & { refundedCents: number };
  'payment.disputed': Amount;
  'refill.sent': Refill & { submissionId: string | null };
  'refill.failed': Refill & { failedStep: string | null; code: string | null };
  'refill.paused': Refill & { reason: string };
  'plan.waiting': PlanFill & { what: string; because: string; dueAt: string };
  'plan.decided': PlanFill;
  'plan.completed': PlanFill;
  'plan.stopped': PlanFill & { reason: 'asked' | 'cancelled' };
}

export type EventType = keyof EventData;

export const eventTypes = [
  'approval.completed',
  'approval.failed',
  'approval.denied',
  'order.submitted',
  'order.rejected',
  'order.cancelled',
  'order.held',
  'order.released',
  'order.shipped',
  'order.delivered',
  'order.rerouted',
  'order.replaced',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
  'payment.disputed',
  'refill.sent',
  'refill.failed',
  'refill.paused',
  'plan.waiting',
  'plan.decided',
  'plan.completed',
  'plan.stopped',
] as const satisfies readonly EventType[];

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
export interface ClientEvent {
  id: string;
  /** From 1 without gaps per client. */
  sequence: number;
  type: EventType;
  /** ISO 8601. */
  at: string;
  taskId: string | null;
  planId: string | null;
  data: Record<string, unknown>;
}

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

/** What the end of a run means to its client: of its order, and of the approval or refill. */
export function outcomeEvents(outcome: {
  reference: string;
  runId: string;
  result: PipelineResult;
  orderReference: string | null;
  pharmacy: string | null;
  isOrderUnknown: boolean;
  /** As its work item names the failure, if it has one. */
  reason: string | undefined;
}): NewEvent[] {
  const { reference, runId, result, pharmacy, isOrderUnknown, reason } = outcome;
  const { submissionId = null, failedStep = null, warnings } = result;
  const taskId = reference;
  const order = { submissionId, pharmacy, reference: outcome.orderReference ?? reference };
  const refill = refillOf(reference);
  if (!result.success) {
    const code = failureCode(result, isOrderUnknown, reason);
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
  reason: string | undefined,
): ApprovalErrorCode {
  const code = approvalErrorCode({ step: failedStep, reason: error }, isOrderUnknown);
  // The type of the failure, which only the run knows, decides whether the pharmacy rejected it.
  return code === 'internal' && reason === 'order_rejected' ? reason : code;
}

/** A decline code; other texts may quote a request. */
export const declineCode = (reason: string | null): string | null =>
  reason !== null && /^[a-z_]{1,60}$/.test(reason) ? reason : null;

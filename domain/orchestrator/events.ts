type OrderNamed = { submissionId: string | null; pharmacy: string; reference: string };
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
    /** The approval's task id, or `refill-<scheduleId>`; null for `plan.*`. */
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

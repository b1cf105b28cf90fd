/** The kinds of work items (D109), with their title, the possible answers and the hours until they are due. */
export const workItemKinds = {
  pharmacy_hold: {
    title: 'The pharmacy holds an order',
    answers: ['proceed', 'change', 'decline', 'cancel', 'reroute'],
    hoursUntilDue: 1,
  },
  order_unknown: {
    title: 'The outcome of an order is unknown',
    answers: ['ask_again', 'cancel', 'dismiss'],
    hoursUntilDue: 1,
  },
  order_missing: {
    title: 'The pharmacy does not have an order',
    answers: ['order_again', 'reroute', 'cancel', 'dismiss'],
    hoursUntilDue: 1,
  },
  order_silent: {
    title: 'The pharmacy reports no status of an order',
    answers: ['ask_again', 'cancel', 'dismiss'],
    hoursUntilDue: 24,
  },
  cancellation_unanswered: {
    title: 'The pharmacy has not answered a cancellation',
    answers: ['ask_again', 'cancel', 'dismiss'],
    hoursUntilDue: 1,
  },
  approval_failed: {
    title: 'An approval failed',
    answers: ['approve_again', 'reroute', 'cancel', 'dismiss'],
    hoursUntilDue: 24,
  },
  refill_failed: {
    title: 'A refill could not be sent',
    answers: ['try_again', 'reroute', 'pause', 'cancel', 'dismiss'],
    hoursUntilDue: 24,
  },
  payment_unpaid: {
    title: 'A charge was not paid in time',
    answers: ['charge_again', 'waive', 'cancel', 'dismiss'],
    hoursUntilDue: 24,
  },
  charge_disputed: {
    title: 'A charge is disputed',
    answers: ['cancel', 'dismiss'],
    hoursUntilDue: 1,
  },
  refund_failed: { title: 'A refund was rejected', answers: ['retry', 'dismiss'], hoursUntilDue: 1 },
  shipped_after_cancel: {
    title: 'A cancelled order was shipped',
    answers: ['dismiss', 'charge_again'],
    hoursUntilDue: 1,
  },
  shipment_failed: {
    title: 'A shipment could not be recorded',
    answers: ['retry', 'dismiss'],
    hoursUntilDue: 24,
  },
  callback_dead: {
    title: 'A callback cannot be delivered',
    answers: ['redeliver', 'dismiss'],
    hoursUntilDue: 24,
  },
  event_dead: {
    title: 'An event cannot be delivered',
    answers: ['redeliver', 'dismiss'],
    hoursUntilDue: 24,
  },
  emr_sync_failed: {
    title: 'A change was not written to the EMR',
    answers: ['retry', 'dismiss'],
    hoursUntilDue: 24,
  },
  orphan_patient: {
    title: 'A patient in the EMR has no record here',
    answers: ['settle', 'dismiss'],
    hoursUntilDue: 24,
  },
  intake_unplaced: {
    title: 'An intake has no patient in the EMR',
    answers: ['retry', 'dismiss'],
    hoursUntilDue: 24,
  },
  identity_mismatch: {
    title: 'Two patients under one e-mail address',
    answers: ['settle', 'dismiss'],
    hoursUntilDue: 24,
  },
  domain_unverified: {
    title: 'A custom domain was not verified',
    answers: ['verify', 'dismiss'],
    hoursUntilDue: 24,
  },
  endpoint_failing: {
    title: "A client's system does not accept events",
    answers: ['try_again', 'disable', 'dismiss'],
    hoursUntilDue: 24,
  },
  prescriber_unlicensed: {
    title: 'The registry has no prescriber for a state',
    answers: ['dismiss'],
    hoursUntilDue: 24,
  },
  check_in_missing: {
    title: 'A patient has not sent the check-in',
    answers: ['remind', 'pause', 'stop', 'dismiss'],
    hoursUntilDue: 24,
  },
  decision_needed: {
    title: 'A plan waits for the prescriber',
    answers: ['decide', 'renew', 'stop'],
    hoursUntilDue: 1,
  },
  close_differences: {
    title: 'A day does not match the external services',
    answers: ['recheck', 'dismiss'],
    hoursUntilDue: 24,
  },
  statement_differences: {
    title: "A pharmacy's bill does not match its shipments",
    answers: ['recheck', 'dismiss'],
    hoursUntilDue: 24,
  },
  patient_incomplete: {
    title: 'A patient record is too incomplete to order',
    answers: ['check_again', 'dismiss'],
    hoursUntilDue: 24,
  },
} as const satisfies Record<string, { title: string; answers: readonly string[]; hoursUntilDue: number }>;

export type WorkItemKind = keyof typeof workItemKinds;
export type WorkItemAnswer<K extends WorkItemKind = WorkItemKind> =
  (typeof workItemKinds)[K]['answers'][number];

/** `closedBy` of an item whose cause resolved itself. */
export const closedBySystem = 'system';

/** The detail of the events `work_item.opened` and `work_item.closed`; times are ISO 8601. */
export interface WorkItemDetail {
  id: string;
  kind: WorkItemKind;
  reason: string;
  title: string;
  references: Record<string, string>;
  organizationId: string | null;
  answers: readonly string[];
  workflowId: string | null;
  openedAt: string;
  dueAt: string;
  closedAt: string | null;
  /** An admin's e-mail address, or `system`; null while open. */
  closedBy: string | null;
  answer: string | null;
}

/** The fields of an order that the answer to a hold may change. */
const changeable = ['sig', 'quantity', 'daysSupply', 'shipTo'];

/** The names of the fields that an answer changes (D145), from its `data`. */
export function changedFields({ changes }: Record<string, unknown>): string[] {
  return changeable.filter(
    (field) => (changes as Record<string, unknown> | undefined)?.[field] !== undefined,
  );
}

/** A person's answer to a work item, for the service that opened it. */
export interface GivenAnswer {
  itemId: string;
  source: string;
  answer: string;
  by: string;
  /** The person's text. */
  note: string | null;
  data: Record<string, unknown>;
}

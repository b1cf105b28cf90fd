import { factKey } from '../clients.js';

export type NoticeType =
  | 'prescription_approved'
  | 'prescription_denied'
  | 'first_shipping_confirmation'
  | 'shipping_confirmation'
  | 'shipping_update'
  | 'delivered'
  | 'order_canceled'
  | 'order_edited'
  | 'payment_method_updated'
  | 'payment_error'
  | 'pending_payment'
  | 'receipt'
  | 'follow_up_due'
  | 'follow_up_past_due'
  | 'treatment_change'
  | 'subscription_renewal';

/** The idempotency key of a notification: its type and reference (D38). */
export const noticeKey = (type: NoticeType, reference: string): string => factKey(type, reference);

/** The reference of the approval notification for its n-th resend (D112). */
export const againReference = (submissionId: string, attempt: number): string =>
  attempt === 0 ? submissionId : `${submissionId}:again:${attempt}`;

/** The reference of the notification about a later parcel of an order (D155). */
export const parcelReference = (submissionId: string, n: number): string => `${submissionId}:${n}`;
/** The reference of the receipt of a charge's n-th attempt (D121). */
export const receiptReference = (reference: string, attempt: number): string => `${reference}:${attempt}`;

const ofSubmissions: readonly NoticeType[] = [
  'prescription_approved',
  'first_shipping_confirmation',
  'shipping_confirmation',
  'delivered',
  'order_canceled',
];

/**
 * The keys of all possible notifications of a task (D111).
 * @param of `reminders`: the number of messages per unpaid reference; `tries`, `parcels`: resends and parcels per
 * submission; `charges`: the newest attempt per charged reference
 */
export const noticeKeys = (of: {
  submissionIds: readonly string[];
  references: readonly string[];
  runIds: readonly string[];
  reminders: ReadonlyMap<string, number>;
  tries: ReadonlyMap<string, number>;
  parcels: ReadonlyMap<string, number>;
  charges: ReadonlyMap<string, number>;
  /** Those of the plan that the task's schedule is (D127). */
  planNotices: readonly { type: NoticeType; reference: string }[];
}): string[] => [
  ...of.planNotices.map(({ type, reference }) => noticeKey(type, reference)),
  ...of.submissionIds.flatMap((id) => [
    ...ofSubmissions.map((type) => noticeKey(type, id)),
    ...Array.from({ length: of.tries.get(id) ?? 0 }, (_, n) =>
      noticeKey('prescription_approved', againReference(id, n + 1)),
    ),
    ...Array.from({ length: Math.max(0, (of.parcels.get(id) ?? 0) - 1) }, (_, n) =>
      noticeKey('shipping_update', parcelReference(id, n + 2)),
    ),
  ]),
  ...of.runIds.map((id) => noticeKey('prescription_denied', id)),
  ...of.references.flatMap((reference) => [
    noticeKey('order_canceled', reference),
    noticeKey('order_edited', reference),
    noticeKey('payment_error', reference),
    noticeKey('subscription_renewal', reference),
    noticeKey('treatment_change', reference),
    ...Array.from({ length: of.charges.get(reference) ?? 0 }, (_, n) =>
      noticeKey('receipt', receiptReference(reference, n + 1)),
    ),
    ...Array.from({ length: of.reminders.get(reference) ?? 0 }, (_, n) =>
      noticeKey('pending_payment', `${reference}:${n + 1}`),
    ),
  ]),
];

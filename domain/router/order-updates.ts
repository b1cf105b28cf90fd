import type { SubmissionStatus } from './submission.js';

/** A pharmacy can report these of an order, in the router's words. */
export const reportedStatuses = ['shipped', 'delivered', 'cancelled', 'processing'] as const;
export type ReportedStatus = (typeof reportedStatuses)[number];

/** Beside those, that it has stopped and that it goes on, which change no status (D100). */
export const holdStatuses = ['on-hold', 'hold-released'] as const;
export type HoldStatus = (typeof holdStatuses)[number];
export const isHoldStatus = (status: string | undefined): status is HoldStatus =>
  status === 'on-hold' || status === 'hold-released';

export interface OrderProgress {
  status: SubmissionStatus;
  trackingNumber: string | null;
  carrier: string | null;
}

/** A webhook's news; null for what it does not mention. */
export interface OrderUpdate {
  status: ReportedStatus | null;
  trackingNumber: string | null;
  carrier: string | null;
}

const isFinal = (status: SubmissionStatus): boolean => status === 'delivered' || status === 'cancelled';

/**
 * The order after a pharmacy's update, or undefined when that changes nothing (D25). A final status stays, and with
 * it what is known of the tracking; what is missing is still filled in. Any other is replaced, in whatever order the
 * updates come.
 */
export function afterUpdate(order: OrderProgress, update: OrderUpdate): OrderProgress | undefined {
  const after = isFinal(order.status)
    ? {
        status: order.status,
        trackingNumber: order.trackingNumber ?? update.trackingNumber,
        carrier: order.carrier ?? update.carrier,
      }
    : {
        status: update.status ?? order.status,
        trackingNumber: update.trackingNumber ?? order.trackingNumber,
        carrier: update.carrier ?? order.carrier,
      };
  const isSame =
    after.status === order.status &&
    after.trackingNumber === order.trackingNumber &&
    after.carrier === order.carrier;
  return isSame ? undefined : after;
}

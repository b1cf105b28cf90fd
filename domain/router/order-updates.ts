import type { SubmissionStatus } from './submission.js';

/** The order statuses that a pharmacy can report, in the router's words. */
export const reportedStatuses = ['shipped', 'delivered', 'cancelled', 'processing'] as const;
export type ReportedStatus = (typeof reportedStatuses)[number];

/** A pharmacy also reports holds and their release, which do not change the status (D100). */
export const holdStatuses = ['on-hold', 'hold-released'] as const;
export type HoldStatus = (typeof holdStatuses)[number];
export const isHoldStatus = (status: string | undefined): status is HoldStatus =>
  status === 'on-hold' || status === 'hold-released';

export interface OrderProgress {
  status: SubmissionStatus;
  trackingNumber: string | null;
  carrier: string | null;
}

/** The content of a webhook; null for a field that it does not mention. */
export interface OrderUpdate {
  status: ReportedStatus | null;
  trackingNumber: string | null;
  carrier: string | null;
}

const isFinal = (status: SubmissionStatus): boolean => status === 'delivered' || status === 'cancelled';

/**
 * The order after a pharmacy's update, or undefined if nothing changes (D25). A final status and its tracking data
 * stay; missing tracking data is added. Any other value is replaced, in whatever order the updates arrive.
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

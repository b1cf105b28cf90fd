import { isSameWord } from './pharmacy-words.js';
import type { SubmissionStatus } from './submission.js';

/** The order statuses that a pharmacy can report, in the router's words. */
export const reportedStatuses = ['shipped', 'delivered', 'cancelled', 'processing'] as const;
export type ReportedStatus = (typeof reportedStatuses)[number];

/** A pharmacy also reports holds and their release, which do not change the status (D100). */
export const holdStatuses = ['on-hold', 'hold-released'] as const;
export type HoldStatus = (typeof holdStatuses)[number];
export const isHoldStatus = (status: string | undefined): status is HoldStatus =>
  status === 'on-hold' || status === 'hold-released';

/** A parcel of an order. */
export interface Parcel {
  trackingNumber: string;
  carrier: string | null;
  /** When the pharmacy first named it, ISO 8601. */
  at: string;
}

export interface OrderProgress {
  status: SubmissionStatus;
  /** Tracking number and carrier of the newest parcel. */
  trackingNumber: string | null;
  carrier: string | null;
  /** Oldest first. */
  parcels: readonly Parcel[];
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
 * stay; missing tracking data is added. Any other value is replaced, in whatever order the updates arrive. A new
 * tracking number is another parcel, which has no carrier until the pharmacy names one; that of an earlier parcel changes
 * no tracking data (D155).
 * @param at when the update arrived, ISO 8601
 */
export function afterUpdate(
  order: OrderProgress,
  update: OrderUpdate,
  at: string,
): OrderProgress | undefined {
  const { status, trackingNumber, carrier } = isFinal(order.status)
    ? {
        status: order.status,
        trackingNumber: order.trackingNumber ?? update.trackingNumber,
        carrier: order.carrier ?? (namesOther(order, update) ? null : update.carrier),
      }
    : { status: update.status ?? order.status, ...trackingAfter(order, update) };
  const isSame =
    status === order.status && trackingNumber === order.trackingNumber && carrier === order.carrier;
  if (isSame) return undefined;
  return {
    status,
    trackingNumber,
    carrier,
    parcels: parcelsAfter(order.parcels, { trackingNumber, carrier, at }),
  };
}

type Tracking = Pick<OrderProgress, 'trackingNumber' | 'carrier'>;

/** True for the tracking number of another parcel than the newest. */
const namesOther = (order: OrderProgress, update: OrderUpdate): boolean =>
  order.trackingNumber !== null &&
  update.trackingNumber !== null &&
  update.trackingNumber !== order.trackingNumber;

function trackingAfter(order: OrderProgress, update: OrderUpdate): Tracking {
  if (namesOther(order, update)) {
    const isEarlier = order.parcels.some((parcel) => parcel.trackingNumber === update.trackingNumber);
    const { trackingNumber, carrier } = isEarlier ? order : update;
    return { trackingNumber, carrier };
  }
  const { trackingNumber, carrier } = order;
  const isSameCarrier = carrier !== null && update.carrier !== null && isSameWord(carrier, update.carrier);
  return {
    trackingNumber: update.trackingNumber ?? trackingNumber,
    carrier: isSameCarrier ? carrier : (update.carrier ?? carrier),
  };
}

/** The last parcel always has the order's own tracking data. */
function parcelsAfter(
  parcels: readonly Parcel[],
  { trackingNumber, carrier, at }: Tracking & Pick<Parcel, 'at'>,
): readonly Parcel[] {
  if (trackingNumber === null) return parcels;
  const last = parcels.at(-1);
  return last?.trackingNumber === trackingNumber
    ? [...parcels.slice(0, -1), { ...last, carrier }]
    : [...parcels, { trackingNumber, carrier, at }];
}

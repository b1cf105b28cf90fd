import type { OrderAddress, PatientDetails } from '../orderable-patient.js';
import type { ShipTo } from './replacement.js';

/** A router callback that changes a shipment (page 1, Callback payloads). */
export interface PharmacyUpdate {
  submissionId: string;
  sourceOrderId: string;
  pharmacy: string;
  pharmacyOrderId: string;
  /** `processing` only names a parcel that has not left yet. */
  state: 'processing' | 'shipped' | 'delivered' | 'cancelled';
  trackingNumber: string | null;
  carrier: string | null;
}

export interface CancelledOrder {
  /** The order's task, or for a refill its reference. */
  heldBy: string;
  reference: string;
  submissionId: string;
  /** The pharmacy has not cancelled it: a person says that it does not have it (D138). */
  isMissing?: boolean;
}

/** Prefix of the reference under which an order is charged again (D155). */
export const chargeAgainPrefix = 'shipped-after-cancel:';

/**
 * The reference of the charge for an order that was sent although it was cancelled (D155). The first charge and its
 * refund stay as they are.
 */
export const chargeAgainReference = (submissionId: string): string => chargeAgainPrefix + submissionId;
export const isChargedAgain = (reference: string): boolean => reference.startsWith(chargeAgainPrefix);
/** The router's id of an order that was charged again; any other reference as it is. */
export const chargedOrder = (reference: string): string =>
  isChargedAgain(reference) ? reference.slice(chargeAgainPrefix.length) : reference;

/** To whom an order goes. */
export type Addressee = Pick<PatientDetails, 'firstName' | 'lastName' | 'phone' | 'address'>;

type GivenAddress = Omit<ShipTo, 'addressLine2'> & { addressLine2?: string | undefined };

/** Reads the addressee of a prescription. */
export function addresseeOf(
  shipTo: Pick<Addressee, 'firstName' | 'lastName' | 'phone'> & GivenAddress,
): Addressee {
  const { firstName, lastName, phone } = shipTo;
  return { firstName, lastName, phone, address: orderAddressOf(shipTo) };
}

export function orderAddressOf(shipTo: GivenAddress): OrderAddress {
  const { addressLine1: line1, addressLine2: line2, city, state, zip } = shipTo;
  return { line1, ...(line2 ? { line2 } : {}), city, state, zip };
}

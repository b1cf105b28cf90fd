/** A discount as the payment processor states it; one of the two is set. */
export interface Discount {
  percentOff: number | null;
  amountOffCents: number | null;
}

/**
 * The price after a discount, in cents, never below zero. The percentage (two decimals at most) is taken in whole
 * basis points, and half a cent goes to the patient.
 */
export function discountedCents(priceCents: number, discount: Discount | undefined): number {
  if (!discount) return priceCents;
  if (discount.amountOffCents !== null) return Math.max(0, priceCents - discount.amountOffCents);
  const basisPoints = Math.round((discount.percentOff ?? 0) * 100);
  const discountCents = Math.floor((priceCents * basisPoints + 5_000) / 10_000);
  return Math.max(0, priceCents - discountCents);
}

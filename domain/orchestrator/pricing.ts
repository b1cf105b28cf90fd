/** What the plans of an intake type are for; their prices hold for nothing else (D87). */
const medicationsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['glp-1', ['semaglutide', 'tirzepatide']],
  ['micro', ['semaglutide']],
  ['nad', ['nad']],
]);

/** What was agreed when a card was saved. */
export interface AgreedPrice {
  amountCents: number | null;
  /** Of the plan; null where the card was saved without one, or before it was kept: the price holds for everything. */
  intakeType: string | null;
}

/**
 * What a medication costs before a coupon, in cents: the agreed price where it holds for it, else the list price (D37, D87).
 * @param medication its key, where it is known
 */
export function fullPriceCents(
  agreed: AgreedPrice,
  { medication, listPriceCents }: { medication: string | undefined; listPriceCents: number },
): number {
  const { amountCents, intakeType } = agreed;
  const holds =
    intakeType === null ||
    (medication !== undefined && medicationsOfType.get(intakeType)?.includes(medication) === true);
  return holds && amountCents !== null ? amountCents : listPriceCents;
}

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

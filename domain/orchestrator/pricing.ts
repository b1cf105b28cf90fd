/** The medications that the plan price of an intake type covers (D87). */
const medicationsOfType: ReadonlyMap<string, readonly string[]> = new Map([
  ['glp-1', ['semaglutide', 'tirzepatide']],
  ['micro', ['semaglutide']],
  ['nad', ['nad']],
]);

/** The price that the patient agreed to when the card was saved. */
export interface AgreedPrice {
  amountCents: number | null;
  /** The plan's type; null: the price covers every medication. */
  intakeType: string | null;
}

/** The price before a coupon: the agreed one if it covers the medication's key, else the list price (D37, D87). */
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

/** The least that the processor charges to a card, in cents of usd. */
const smallestChargeCents = 50;

/** The charge for a price: nothing where the processor would reject the amount (D154). */
export const chargeableCents = (priceCents: number): number =>
  priceCents < smallestChargeCents ? 0 : priceCents;

/** A discount of the payment processor; one of the two is set. */
export interface Discount {
  percentOff: number | null;
  amountOffCents: number | null;
}

/**
 * The price after a discount, never below zero. Half a cent goes to the patient; percentages have two decimals at
 * most.
 */
export function discountedCents(priceCents: number, discount: Discount | undefined): number {
  if (!discount) return priceCents;
  if (discount.amountOffCents !== null) return Math.max(0, priceCents - discount.amountOffCents);
  const basisPoints = Math.round((discount.percentOff ?? 0) * 100);
  const discountCents = Math.floor((priceCents * basisPoints + 5_000) / 10_000);
  return Math.max(0, priceCents - discountCents);
}

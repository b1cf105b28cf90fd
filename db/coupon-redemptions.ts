import type { Queryable } from './client.js';

/** A coupon, and what the processor says of its use. */
export interface CouponTerms {
  couponId: string;
  valid: boolean;
  /** It is taken off one charge only. */
  once: boolean;
  /** How many patients may still have it by the processor's count; null for any number. */
  redemptionsLeft: number | null;
}

/** `used`: it was taken off another charge, and counts once; `refused`: it has ended, or others have had the last of it. */
export type Redemption = 'redeemed' | 'used' | 'refused';

/** Waits until nobody else takes or gives back this coupon, and keeps them waiting to the end of the transaction. */
export async function lockCoupon(sql: Queryable, couponId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`coupon ${couponId}`}, 0))`;
}

/**
 * Redeems a coupon, once for each patient (D87). To be called in the transaction that fixes the amount, which has the
 * coupon locked: of two charges at once the second sees what the first has taken.
 */
export async function redeemCoupon(
  sql: Queryable,
  { couponId, valid, once, redemptionsLeft }: CouponTerms,
  { emrPatientId, taskId }: { emrPatientId: string; taskId: string },
): Promise<Redemption> {
  const [own] = await sql<{ taskId: string }[]>`
    select task_id from coupons.redemption
    where coupon_id = ${couponId} and emr_patient_id = ${emrPatientId}
  `;
  if (own && once && own.taskId !== taskId) return 'used';
  if (!valid) return 'refused';
  if (own) return 'redeemed';
  if (redemptionsLeft !== null && (await countRedemptions(sql, couponId)) >= redemptionsLeft)
    return 'refused';
  await sql`
    insert into coupons.redemption ${sql({ couponId, emrPatientId, taskId }, 'couponId', 'emrPatientId', 'taskId')}
  `;
  return 'redeemed';
}

/** Gives a patient's redemption back. */
export async function returnCoupon(
  sql: Queryable,
  { couponId, emrPatientId }: { couponId: string; emrPatientId: string },
): Promise<void> {
  await sql`delete from coupons.redemption where coupon_id = ${couponId} and emr_patient_id = ${emrPatientId}`;
}

/** How many patients have redeemed a coupon here. */
export async function countRedemptions(sql: Queryable, couponId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(coupon_id)::int as count from coupons.redemption where coupon_id = ${couponId}
  `;
  return row?.count ?? 0;
}

import type { Queryable } from './client.js';

/** A coupon, with its terms at the processor. */
export interface CouponTerms {
  couponId: string;
  valid: boolean;
  /** Applies to one charge only. */
  once: boolean;
  /** Further redemptions that the processor allows; null for no limit. */
  redemptionsLeft: number | null;
}

/** `used`: an earlier charge used this single-use coupon; `refused`: the coupon is invalid or fully redeemed. */
export type Redemption = 'redeemed' | 'used' | 'refused';

/**
 * Locks a coupon until the transaction ends. A charge subtracts a coupon itself, so the processor counts no
 * redemption. The count stands in the transaction that fixes the amount. The intake may read only the coupon's id.
 */
export async function lockCoupon(sql: Queryable, couponId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`coupon ${couponId}`}, 0))`;
}

/** A patient's charge that a coupon reduces. */
interface Redeemer {
  emrPatientId: string;
  taskId: string;
}

/** The result that redeeming a coupon would have now; `free`: a redemption that no row holds yet. */
export async function judgeRedemption(
  sql: Queryable,
  { couponId, valid, once, redemptionsLeft }: CouponTerms,
  { emrPatientId, taskId }: Redeemer,
): Promise<Redemption | 'free'> {
  const [own] = await sql<{ taskId: string }[]>`
    select task_id from coupons.redemption
    where coupon_id = ${couponId} and emr_patient_id = ${emrPatientId}
  `;
  if (own && once && own.taskId !== taskId) return 'used';
  if (!valid) return 'refused';
  if (own) return 'redeemed';
  if (redemptionsLeft !== null && (await countRedemptions(sql, couponId)) >= redemptionsLeft)
    return 'refused';
  return 'free';
}

/**
 * Redeems a coupon once for each patient (D87). Call it in the transaction that fixes the amount, with the coupon
 * locked, so that concurrent charges see each other's redemptions.
 */
export async function redeemCoupon(
  sql: Queryable,
  coupon: CouponTerms,
  { emrPatientId, taskId }: Redeemer,
): Promise<Redemption> {
  const verdict = await judgeRedemption(sql, coupon, { emrPatientId, taskId });
  if (verdict !== 'free') return verdict;
  const { couponId } = coupon;
  await sql`
    insert into coupons.redemption ${sql({ couponId, emrPatientId, taskId }, 'couponId', 'emrPatientId', 'taskId')}
  `;
  return 'redeemed';
}

export async function returnCoupon(
  sql: Queryable,
  { couponId, emrPatientId }: { couponId: string; emrPatientId: string },
): Promise<void> {
  await sql`delete from coupons.redemption where coupon_id = ${couponId} and emr_patient_id = ${emrPatientId}`;
}

export async function countRedemptions(sql: Queryable, couponId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(coupon_id)::int as count from coupons.redemption where coupon_id = ${couponId}
  `;
  return row?.count ?? 0;
}

import { z } from 'zod';
import { decimal, endpoint, existing, integer, metadata, nothing, page, paging, text } from './endpoint.js';
import { invalid } from './errors.js';
import { epochSeconds, newBase, newId, type Coupon } from './objects.js';
import type { StripeStore } from './store.js';

const positive = z.number().min(1);
const createForm = z.strictObject({
  id: text.max(500).optional(),
  name: z.string().optional(),
  percent_off: decimal.pipe(z.number().gt(0).max(100)).optional(),
  amount_off: integer.pipe(positive).optional(),
  currency: text.optional(),
  duration: z.enum(['once', 'repeating', 'forever']).default('once'),
  duration_in_months: integer.pipe(positive).optional(),
  max_redemptions: integer.pipe(positive).optional(),
  redeem_by: integer.optional(),
  applies_to: z.strictObject({ products: z.array(text) }).optional(),
  metadata: metadata.optional(),
});

/** Validity depends on the time, so it is computed on reading. */
const shown = (coupon: Coupon) => ({
  ...coupon,
  valid:
    (coupon.redeem_by === null || coupon.redeem_by > epochSeconds()) &&
    (coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions),
});

const blank = (id: string): Coupon => ({
  ...newBase(id),
  object: 'coupon',
  name: null,
  percent_off: null,
  amount_off: null,
  currency: null,
  duration: 'once',
  duration_in_months: null,
  max_redemptions: null,
  times_redeemed: 0,
  redeem_by: null,
});

/** Three initial coupons; the last one has expired. */
export function seedCoupons(store: StripeStore): void {
  store.put<Coupon>({ ...blank('WELCOME25'), percent_off: 25, duration: 'forever' });
  store.put<Coupon>({ ...blank('TENOFF'), amount_off: 1000, currency: 'usd', duration: 'forever' });
  store.put<Coupon>({
    ...blank('EXPIRED'),
    percent_off: 50,
    duration: 'forever',
    redeem_by: Date.UTC(2020) / 1000,
  });
  store.commit();
}

export const couponEndpoints = [
  endpoint(
    'coupons.create',
    'POST',
    '/coupons',
    createForm,
    (store, { id = newId('coupon'), metadata, ...form }) => {
      if (store.find('coupon', id)) {
        throw invalid('Coupon already exists.', { code: 'resource_already_exists', param: 'id' });
      }
      if ((form.percent_off === undefined) === (form.amount_off === undefined)) {
        throw invalid('You must pass either percent_off or amount_off, and not both.');
      }
      if (form.amount_off !== undefined && form.currency === undefined) {
        throw invalid('Missing required param: currency.', { code: 'parameter_missing', param: 'currency' });
      }
      if (form.redeem_by !== undefined && form.redeem_by <= epochSeconds()) {
        throw invalid('The redeem_by date cannot be in the past.', { param: 'redeem_by' });
      }
      const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
      return shown(store.put<Coupon>({ ...blank(id), ...given, ...(metadata && { metadata }) }));
    },
  ),
  endpoint('coupons.retrieve', 'GET', '/coupons/:id', nothing, (store, _form, id) =>
    shown(existing(store, 'coupon', id)),
  ),
  endpoint('coupons.list', 'GET', '/coupons', z.strictObject(paging), (store, form) =>
    page('/coupons', store.list('coupon').map(shown), form),
  ),
  endpoint('coupons.del', 'DELETE', '/coupons/:id', nothing, (store, _form, id) => {
    existing(store, 'coupon', id);
    store.delete('coupon', id);
    return { id, object: 'coupon', deleted: true };
  }),
];

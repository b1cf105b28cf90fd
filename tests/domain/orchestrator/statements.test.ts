import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Bill, type BilledId, judgeBills, priceOf } from '../../../domain/orchestrator/statements.js';

const day = '2026-03-02';
const bill = (n: number | null, amountCents = 8_000): Bill => ({ n, amountCents, shippedOn: null, day });
const order: NonNullable<BilledId['order']> = {
  submissionId: 'sub-1',
  reference: 'task-1',
  taskId: 'task-1',
  status: 'shipped',
  shippedOn: day,
  isDue: true,
  paidBy: null,
};
const billed = (bills: readonly Bill[], more: Partial<BilledId> = {}): BilledId => ({
  pharmacyOrderId: 'case-1',
  order,
  bills,
  priceOn: () => null,
  ...more,
});
const shown = (id: BilledId) =>
  judgeBills(id).map(({ state, kind, because }) =>
    [state, kind, because].filter((word) => word !== null).join(' '),
  );

test.each<[string, BilledId, string[]]>([
  ['an order that is billed once', billed([bill(0)]), ['matched']],
  ['a bill that nobody ordered', billed([bill(0)], { order: null }), ['difference bill_without_order']],
  [
    'a bill for an order that was cancelled before it shipped',
    billed([bill(0)], { order: { ...order, status: 'cancelled', shippedOn: null, isDue: false } }),
    ['difference bill_without_order'],
  ],
  [
    'a bill for an order that the pharmacy has not shipped yet',
    billed([bill(0)], { order: { ...order, status: 'processing', shippedOn: null, isDue: false } }),
    ['matched'],
  ],
  ['a second bill', billed([bill(0), bill(1)]), ['matched', 'difference bill_twice']],
  ['a bill after that of an earlier statement', billed([bill(null), bill(0)]), ['difference bill_twice']],
  [
    'a second bill that is taken back',
    billed([bill(0), bill(1), bill(2, -8_000)]),
    ['matched', 'matched', 'matched'],
  ],
  [
    'a bill that corrects one of an earlier statement',
    billed([bill(null), bill(0, -8_000), bill(1, 7_500)]),
    ['matched', 'matched'],
  ],
  [
    'a bill without an order that is taken back',
    billed([bill(0), bill(1, -8_000)], { order: null }),
    ['matched', 'matched'],
  ],
  ['a credit for nothing', billed([bill(0, -100)], { order: null }), ['difference bill_without_order']],
  ['another price', billed([bill(0)], { priceOn: () => 7_900 }), ['difference bill_amount']],
  ['the price', billed([bill(0)], { priceOn: () => 8_000 }), ['matched']],
  [
    'a bill that a credit brings to the price',
    billed([bill(0), bill(1, -100)], { priceOn: () => 7_900 }),
    ['matched', 'matched'],
  ],
  ['an order that nobody billed', billed([]), ['difference order_not_billed']],
  ['an order that an earlier statement billed', billed([bill(null)]), []],
  [
    'an order that was cancelled after it shipped',
    billed([], { order: { ...order, status: 'cancelled' } }),
    ['explained order_not_billed cancelled'],
  ],
  [
    'a replacement that the pharmacy pays for',
    billed([], { order: { ...order, paidBy: 'pharmacy' } }),
    ['explained order_not_billed replacement'],
  ],
  ['an order of other days', billed([], { order: { ...order, isDue: false } }), []],
])('%s is told apart', (_what, id, expected) => {
  expect(shown(id)).toEqual(expected);
});

test('A line names the order and what was billed for it', () => {
  expect(judgeBills(billed([bill(0)], { priceOn: () => 7_900 }))).toEqual([
    {
      reference: 'task-1',
      taskId: 'task-1',
      state: 'difference',
      kind: 'bill_amount',
      because: null,
      ours: { submissionId: 'sub-1', pharmacyOrderId: 'case-1', shippedOn: day, priceCents: 7_900 },
      theirs: { pharmacyOrderId: 'case-1', line: 0, amountCents: 8_000 },
    },
  ]);
});

test('An order of another client of the router is named by its submission', () => {
  const [line] = judgeBills(billed([bill(0)], { order: { ...order, reference: null, taskId: null } }));
  expect(line).toMatchObject({ reference: 'sub-1', taskId: null, state: 'matched' });
});

test('A price holds from its day until the next one', () => {
  const prices = [
    { article: 'a', from: '2026-01-01', cents: 1 },
    { article: 'a', from: '2026-03-01', cents: 3 },
    { article: 'a', from: '2026-02-01', cents: 2 },
    { article: 'b', from: '2026-01-01', cents: 9 },
  ];
  expect(priceOf(prices, 'a', '2025-12-31')).toBeNull();
  expect(priceOf(prices, 'a', '2026-02-28')).toBe(2);
  expect(priceOf(prices, 'a', '2026-03-01')).toBe(3);
  expect(priceOf(prices, null, '2026-03-01')).toBeNull();
});

test('Each bill of a statement is in one line, so that their sum is what it bills, in whole cents', () => {
  const amounts = fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.boolean()), { maxLength: 12 });
  fc.assert(
    fc.property(amounts, fc.boolean(), fc.option(fc.nat({ max: 24_000 })), (bills, isOrdered, price) => {
      let n = 0;
      const all = bills.map(([times, isOwn]) => bill(isOwn ? n++ : null, times * 8_000));
      const lines = judgeBills(billed(all, { priceOn: () => price, ...(!isOrdered && { order: null }) }));
      const cents = lines.flatMap(({ theirs }) => (theirs ? [Number(theirs['amountCents'])] : []));
      const own = all.filter((one) => one.n !== null);
      expect(cents).toHaveLength(own.length);
      expect(cents.every(Number.isInteger)).toBe(true);
      expect(cents.reduce((sum, one) => sum + one, 0)).toBe(
        own.reduce((sum, { amountCents }) => sum + amountCents, 0),
      );
    }),
  );
});

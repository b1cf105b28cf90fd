import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Books,
  type CloseFact,
  type CloseLine,
  judge,
} from '../../../domain/orchestrator/daily-close.js';

const fact = (kind: CloseFact['kind'], more: Partial<CloseFact> = {}): CloseFact => ({
  kind,
  id: `${kind}-1`,
  isFresh: true,
  detail: { order: 'submitted', charge: 'pi_1', refund: 'charge-1' }[kind as string] ?? null,
  cents: kind === 'charge' || kind === 'payment' ? 29_900 : 0,
  ...more,
});
const paid = {
  status: 'succeeded',
  intentId: 'pi_1',
  amountCents: 29_900,
  refundedCents: 0,
  hasCoupon: false,
} as const;
const inOrder: Books = {
  reference: 'task-1',
  taskId: 'task-1',
  facts: [fact('order'), fact('charge'), fact('label'), fact('payment')],
  payment: paid,
  recovery: null,
  isCancelled: false,
  paidBy: null,
  isSettling: false,
  isLabelOut: false,
  awaitsPharmacy: false,
  labelIds: ['label-1'],
};
const without = (...kinds: CloseFact['kind'][]) => inOrder.facts.filter(({ kind }) => !kinds.includes(kind));
const shown = (lines: readonly CloseLine[]) =>
  lines.map(({ state, kind, because }) => [state, kind, because].filter((word) => word !== null).join(' '));

test('A sound order is one matched line', () => {
  expect(shown(judge(inOrder))).toEqual(['matched']);
  expect(judge(inOrder)[0]).toMatchObject({ theirs: { amountCents: 29_900, shipments: 'label-1' } });
});

test.each<[string, Partial<Books>, string[]]>([
  [
    'an order that nobody paid',
    { payment: null, facts: without('charge', 'payment') },
    ['difference order_without_charge'],
  ],
  [
    'one that a recovery follows',
    {
      payment: { ...paid, status: 'failed', intentId: null },
      recovery: 'open',
      facts: without('charge', 'payment'),
    },
    ['explained order_without_charge unpaid'],
  ],
  [
    'one that was waived',
    {
      payment: { ...paid, status: 'failed', intentId: null },
      recovery: 'cancelled',
      facts: without('charge', 'payment'),
    },
    ['explained order_without_charge waived'],
  ],
  [
    'a replacement that the carrier pays',
    { payment: null, paidBy: 'carrier', facts: without('charge', 'payment') },
    ['explained order_without_charge replacement'],
  ],
  [
    'a replacement that the patient pays',
    { payment: null, paidBy: 'patient', facts: without('charge', 'payment') },
    ['difference order_without_charge'],
  ],
  [
    'an order that a coupon pays',
    {
      payment: { ...paid, amountCents: 0, intentId: null, hasCoupon: true },
      facts: without('charge', 'payment'),
    },
    ['explained order_without_charge coupon'],
  ],
  [
    'an order below the smallest charge',
    { payment: { ...paid, amountCents: 0, intentId: null }, facts: without('charge', 'payment') },
    ['matched'],
  ],
  ['a charge without its order', { facts: without('order', 'label') }, ['difference charge_without_order']],
  [
    'a charge without its cancelled order',
    { isCancelled: true, facts: without('order', 'label') },
    ['explained charge_without_order cancelled'],
  ],
  [
    'a second charge',
    { facts: [...inOrder.facts, fact('charge', { id: 'charge-2', detail: null })] },
    ['difference charge_not_ours'],
  ],
  ['a charge that only we know', { facts: without('charge') }, ['difference charge_missing_there']],
  [
    'another amount',
    { facts: [...without('charge'), fact('charge', { cents: 29_901 })] },
    ['difference charge_amount'],
  ],
  [
    'a refund that only they know',
    { facts: [...inOrder.facts, fact('refund', { cents: 100 })] },
    ['difference refund_not_ours'],
  ],
  [
    'a refund that only we know',
    { payment: { ...paid, refundedCents: 100 }, facts: [...inOrder.facts, fact('repaid', { cents: 100 })] },
    ['difference refund_missing_there'],
  ],
  [
    'another refund',
    { payment: { ...paid, refundedCents: 200 }, facts: [...inOrder.facts, fact('refund', { cents: 100 })] },
    ['difference refund_amount'],
  ],
  [
    'the same refund',
    {
      payment: { ...paid, refundedCents: 100 },
      facts: [...inOrder.facts, fact('refund', { cents: 100 }), fact('repaid', { cents: 100 })],
    },
    ['matched'],
  ],
  ['an order without a label', { facts: without('label') }, ['difference order_without_label']],
  [
    'an order that its pharmacy ships',
    { awaitsPharmacy: true, facts: without('label') },
    ['explained order_without_label ships_later'],
  ],
  [
    'an order whose label has no answer yet',
    { isLabelOut: true, facts: without('label') },
    ['explained order_without_label settling'],
  ],
  [
    'an order without a label whose charge has no answer yet',
    { payment: { ...paid, status: 'pending' }, facts: [fact('order')] },
    ['explained order_without_charge settling', 'difference order_without_label'],
  ],
  [
    'an order that nobody paid, whose label has no answer yet',
    { payment: null, isLabelOut: true, facts: [fact('order')] },
    ['difference order_without_charge', 'explained order_without_label settling'],
  ],
  [
    'a label without an order',
    { payment: null, labelIds: [], facts: [fact('label')] },
    ['difference label_without_order'],
  ],
  [
    'a label of an order that its pharmacy lost',
    { payment: null, isCancelled: true, labelIds: [], facts: [fact('label')] },
    ['explained label_without_order cancelled'],
  ],
  [
    'a second label',
    { facts: [...inOrder.facts, fact('label', { id: 'label-2' })] },
    ['difference label_twice'],
  ],
  [
    'two parcels',
    { labelIds: ['label-1', 'label-2'], facts: [...inOrder.facts, fact('label', { id: 'label-2' })] },
    ['matched'],
  ],
  [
    'a foreign charge that went back',
    { payment: null, facts: [fact('charge', { detail: null }), fact('refund', { cents: 29_900 })] },
    ['matched'],
  ],
  [
    'two differences',
    { payment: null, facts: [fact('order')] },
    ['difference order_without_charge', 'difference order_without_label'],
  ],
])('%s is told apart', (_what, books, expected) => {
  expect(shown(judge({ ...inOrder, ...books }))).toEqual(expected);
});

test('What stands in an earlier close is not said again', () => {
  const facts = [fact('order', { isFresh: false }), fact('charge')];
  expect(shown(judge({ ...inOrder, facts }))).toEqual(['matched']);
});

test('The sum of the lines is the total, in whole cents, unless a line differs', () => {
  const cents = fc.integer({ min: 50, max: 99_999_999 });
  fc.assert(
    fc.property(fc.array(fc.record({ cents, part: fc.nat({ max: 100 }) }), { maxLength: 50 }), (orders) => {
      const refunded = orders.map(({ cents, part }) => Math.floor((cents * part) / 100));
      const lines = orders.flatMap(({ cents }, i) =>
        judge({
          ...inOrder,
          reference: `task-${i}`,
          payment: { ...paid, amountCents: cents, refundedCents: refunded[i] ?? 0 },
          facts: [
            ...without('charge'),
            fact('charge', { cents }),
            ...(refunded[i] ? [fact('refund', { cents: refunded[i] })] : []),
          ],
        }),
      );
      const sum = (key: string) => lines.reduce((total, { theirs }) => total + Number(theirs?.[key] ?? 0), 0);
      expect(lines.every(({ state }) => state === 'matched')).toBe(true);
      expect(sum('amountCents')).toBe(orders.reduce((total, { cents }) => total + cents, 0));
      expect(sum('refundedCents')).toBe(refunded.reduce((total, cents) => total + cents, 0));
      expect(Number.isInteger(sum('amountCents'))).toBe(true);
    }),
  );
});

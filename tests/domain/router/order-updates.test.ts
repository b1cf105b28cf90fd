import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  afterUpdate,
  type OrderProgress,
  type OrderUpdate,
  reportedStatuses,
} from '../../../domain/router/order-updates.js';
import { statusOf } from '../../../integrations/pharmacies/pharmacy-b/webhook.js';
import { submissionStatuses } from '../../../domain/router/submission.js';

const text = fc.option(fc.constantFrom('T-1', 'T-2', 'UPS'), { nil: null });
const at = '2026-11-26T10:00:00.000Z';
const order: fc.Arbitrary<OrderProgress> = fc
  .record({ status: fc.constantFrom(...submissionStatuses), trackingNumber: text, carrier: text })
  .map((known) => ({
    ...known,
    parcels:
      known.trackingNumber === null
        ? []
        : [{ trackingNumber: known.trackingNumber, carrier: known.carrier, at }],
  }));
const update: fc.Arbitrary<OrderUpdate> = fc.record({
  status: fc.option(fc.constantFrom(...reportedStatuses), { nil: null }),
  trackingNumber: text,
  carrier: text,
});
const namesOther = (start: OrderProgress, each: OrderUpdate) =>
  start.trackingNumber !== null &&
  each.trackingNumber !== null &&
  each.trackingNumber !== start.trackingNumber;
const isFinal = (status: string) => status === 'delivered' || status === 'cancelled';
/** The order after a series of updates, and how many of them changed it. */
const replayed = (start: OrderProgress, updates: readonly OrderUpdate[]) =>
  updates.reduce(
    ({ now, changes }, each) => {
      const after = afterUpdate(now, each, at);
      return after ? { now: after, changes: changes + 1 } : { now, changes };
    },
    { now: start, changes: 0 },
  );

describe('an order that a pharmacy reports on', () => {
  test('never leaves a final status, whatever comes later', () => {
    fc.assert(
      fc.property(order, fc.array(update), (start, updates) => {
        const { now } = replayed(start, updates);
        if (isFinal(start.status)) expect(now.status).toBe(start.status);
      }),
    );
  });

  test('takes any other status as it is reported', () => {
    fc.assert(
      fc.property(order, update, (start, each) => {
        fc.pre(!isFinal(start.status) && each.status !== null);
        expect((afterUpdate(start, each, at) ?? start).status).toBe(each.status);
      }),
    );
  });

  test('is not changed by the same update a second time', () => {
    fc.assert(
      fc.property(order, update, (start, each) => {
        const { now } = replayed(start, [each]);
        expect(afterUpdate(now, each, at)).toBeUndefined();
      }),
    );
  });

  test('never forgets tracking, and once final keeps what it has', () => {
    fc.assert(
      fc.property(order, update, (start, each) => {
        fc.pre(!namesOther(start, each));
        const now = afterUpdate(start, each, at) ?? start;
        for (const field of ['trackingNumber', 'carrier'] as const) {
          if (start[field] !== null) expect(now[field]).not.toBeNull();
          if (isFinal(start.status) && start[field] !== null) expect(now[field]).toBe(start[field]);
          if (start[field] === null) expect(now[field]).toBe(each[field]);
        }
      }),
    );
  });

  test('takes another parcel with the carrier that the pharmacy names for it, and none once final', () => {
    fc.assert(
      fc.property(order, update, (start, each) => {
        fc.pre(namesOther(start, each));
        const { trackingNumber, carrier } = afterUpdate(start, each, at) ?? start;
        expect({ trackingNumber, carrier }).toEqual(
          isFinal(start.status)
            ? { trackingNumber: start.trackingNumber, carrier: start.carrier }
            : { trackingNumber: each.trackingNumber, carrier: each.carrier },
        );
      }),
    );
  });

  test('has one parcel for each tracking number, and shows the newest', () => {
    fc.assert(
      fc.property(order, fc.array(update), (start, updates) => {
        const { now } = replayed(start, updates);
        const numbers = now.parcels.map(({ trackingNumber }) => trackingNumber);
        expect(new Set(numbers).size).toBe(numbers.length);
        expect(numbers.slice(0, start.parcels.length)).toEqual(
          start.parcels.map(({ trackingNumber }) => trackingNumber),
        );
        const { trackingNumber, carrier } = now;
        if (trackingNumber !== null) expect(now.parcels.at(-1)).toMatchObject({ trackingNumber, carrier });
        if (isFinal(start.status) && start.trackingNumber !== null) expect(now.parcels).toHaveLength(1);
      }),
    );
  });

  test('is not changed by a repeat about an earlier parcel', () => {
    const shipped = (trackingNumber: string) =>
      ({ status: 'shipped', trackingNumber, carrier: null }) as const;
    const start = { status: 'submitted', trackingNumber: null, carrier: null, parcels: [] } as const;
    const { now, changes } = replayed(start, [shipped('1'), shipped('2'), shipped('1')]);
    expect([now.trackingNumber, changes]).toEqual(['2', 2]);
  });

  test.each([
    ['UPS', 'ups'],
    ['FedEx', 'Federal Express'],
    ['USPS', 'United States Postal Service'],
    ['fedex_ground', 'FedEx Ground'],
  ])('is not changed by another spelling of the carrier %s', (carrier, again) => {
    const parcels = [{ trackingNumber: '1', carrier, at }];
    const start = { status: 'shipped', trackingNumber: '1', carrier, parcels } as const;
    const repeated = { status: 'shipped', trackingNumber: '1', carrier: again } as const;
    expect(afterUpdate(start, repeated, at)).toBeUndefined();
  });

  test('counts as changed only when something is different', () => {
    fc.assert(
      fc.property(order, update, (start, each) => {
        const after = afterUpdate(start, each, at);
        if (after) expect(after).not.toEqual(start);
      }),
    );
  });
});

test('pharmacy_b reports the same statuses as the router, and in-transit is shipped', () => {
  expect([...reportedStatuses, 'in-transit'].map(statusOf)).toEqual([...reportedStatuses, 'shipped']);
});

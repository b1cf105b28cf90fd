import { describe, expect, it } from '@jest/globals';
import { Book, recoverPayment, recovering } from '../../replay/cases/recover-payment.js';
import { eventually } from '../../helpers/client.js';
import { useRuns } from '../runs.js';
import { failingFirst, outage } from './pipeline-activities.js';

const { testCases, run } = useRuns('recoverPayment');

describe('a charge that has failed', () => {
  testCases(recoverPayment);

  it('is made again after 1, 3 and 7 days while the bank declines it for now, and given up after 14', async () => {
    const book = new Book('time', ['time']);
    await run(recovering(book, {}));
    expect(book.chargedAfter).toEqual([24, 72, 168]);
    expect(book.told.map(({ hours, type }) => [hours, type])).toEqual([
      [0, 'payment_error'],
      [24, 'pending_payment'],
      [72, 'pending_payment'],
      [168, 'pending_payment'],
    ]);
    for (const { amount, paymentUrl } of book.told)
      expect([amount, paymentUrl]).toEqual(['$299.00', 'http://intake.test/pay?token=t']);
    expect(book.row.state).toBe('unpaid');
  });

  it.each([
    ['a hard decline', 'card'],
    ['a bank that wants to be satisfied first', 'authentication'],
  ] as const)('is not made again by itself after %s', async (_, remedy) => {
    const declined = new Book(remedy, ['paid']);
    await run(recovering(declined, {}));
    expect(declined.chargedAfter).toEqual([]);
  });

  it('is given up at once, and nobody is told, once its patient has left', async () => {
    const book = new Book('time', ['paid'], { hasLeft: true });
    await run(recovering(book, {}));
    expect([book.chargedAfter, book.told, book.row.state]).toEqual([[], [], 'unpaid']);
  });

  it('that turns into a hard decline is not made again', async () => {
    const book = new Book('time', ['card']);
    await run(recovering(book, {}));
    expect(book.chargedAfter).toEqual([24]);
    expect(book.row.state).toBe('unpaid');
  });

  it('goes on where a run was that an operator ended: what it did is not done again', async () => {
    const book = new Book('time', ['time'], { retriesDone: 2, messagesSent: 3 });
    await run(recovering(book, {}));
    expect(book.chargedAfter).toEqual([168]);
    expect(book.told.map(({ type }) => type)).toEqual(['pending_payment']);
  });

  it('is charged and reminded of as planned while messages do not get through, and told late', async () => {
    const book = new Book('time', ['time', 'paid']);
    const { notifyPatient } = book.activities;
    await run(recovering(book, {}, { notifyPatient: failingFirst(30, notifyPatient) }));
    expect(book.chargedAfter).toEqual([24, 72]);
    expect(book.told.map(({ type }) => type)).toEqual(['payment_error', 'pending_payment']);
  });

  it('continues as new once its history is long, and goes on where it was', async () => {
    const book = new Book('card', ['card']);
    const { result } = await run(
      recovering(book, {}),
      async (handle) => {
        const { runId } = await handle.describe();
        // The server suggests it from 4 MiB on, or 4,096 events, which take a minute.
        // Between two runs the test server knows neither, so no further signal is sent.
        for (let sent = 0; sent < 4; sent += 1) await handle.signal('recheck', 'x'.repeat(2 ** 20));
        await eventually(async () => book.told.length > 0 && (await handle.describe()).runId !== runId);
        book.row.state = 'cancelled';
        await handle.signal('recheck');
      },
      { isTimeSkipped: false },
    );
    expect(result).toBeUndefined();
    expect(book.told.map(({ type }) => type)).toEqual(['payment_error']);
  });

  it('is asked for again after an hour in doubt, since nobody else may be asking', async () => {
    const book = new Book('time', ['paid'], { status: 'pending' });
    await run(recovering(book, {}));
    expect(book.chargedAfter).toEqual([1]);
    expect(book.row.state).toBe('paid');
  });

  it('ends at once when it is paid, with a message under way', async () => {
    const book = new Book('time', ['paid']);
    const { tookMs } = await run(recovering(book, {}, { notifyPatient: outage }));
    expect(await tookMs()).toBeLessThan(25 * 60 * 60 * 1000);
    expect(book.row.state).toBe('paid');
  });
});

describe('the patient who pays', () => {
  const paying = (book: Book, card: object, replaced: object = {}) => ({
    ...recovering(book, {}, replaced),
    startedBy: { update: 'pay', args: [card] },
  });

  it.each([
    ['a soft decline', 'time', {}, true],
    ['an authentication that was done', 'authentication', {}, true],
    ['a coupon that has ended, at the price shown', 'card', { hasCouponEnded: true }, true],
    ['a hard decline of the same card', 'card', {}, false],
  ] as const)('without a card, after %s', async (_, remedy, over, isCharged) => {
    const book = new Book(remedy, ['paid'], over);
    const { answer, inputs } = await run(paying(book, {}));
    expect(answer).toEqual({ paid: isCharged, status: isCharged ? 'succeeded' : 'failed' });
    expect(book.chargedAfter).toHaveLength(isCharged ? 1 : 0);
    const agreed = 'hasCouponEnded' in over ? { fullPriceAgreed: true } : {};
    if (isCharged) expect(inputs('chargeSavedCard')[0]).toMatchObject(agreed);
  });

  it('with a card that the bank rejects is not charged', async () => {
    const book = new Book('time', ['paid'], { retriesDone: 3 });
    const refused = { attachHandedInCard: async () => null };
    const { answer } = await run(paying(book, { setupIntentId: 'seti_1' }, refused));
    expect(answer).toEqual({ paid: false, status: 'failed' });
    expect(book.chargedAfter).toEqual([]);
  });

  it('while a charge is in doubt is not charged: its verdict is awaited', async () => {
    const book = new Book('time', ['paid'], { status: 'pending' });
    const { answer } = await run(paying(book, { paymentMethodId: 'pm_1' }), async () => {
      book.row.state = 'cancelled';
    });
    expect(answer).toEqual({ paid: false, status: 'pending' });
    expect(book.chargedAfter).toEqual([]);
  });
});

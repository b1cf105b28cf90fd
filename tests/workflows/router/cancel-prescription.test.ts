import { describe, expect, it } from '@jest/globals';
import { ApplicationFailure } from '@temporalio/common';
import { failureTypes } from '../../../domain/failures.js';
import { rxNextTry, rxStuck, rxStuckSince, rxWaiting } from '../../../workflows/search-attributes.js';
import { ownRun } from '../../replay/cases.js';
import { cancelling, cancelPrescription } from '../../replay/cases/cancel-prescription.js';
import { useRuns } from '../runs.js';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const silence = ApplicationFailure.create({ type: failureTypes.unavailable, message: 'no answer' });

const { run, testCases, time } = useRuns('cancelPrescription');

describe('a cancellation', () => {
  testCases(cancelPrescription);

  it('is asked for through the hours it is given, up to five minutes apart, before a person is', async () => {
    const askUntil = (await time().env.currentTimeMs()) + 2 * hourMs;
    const { tookMs, times } = await run(cancelling({}, [silence], { askUntil }));
    expect(times('reportCancellation')).toBe(1);
    expect(await tookMs()).toBeGreaterThanOrEqual(2 * hourMs);
    expect(await tookMs()).toBeLessThan(2.2 * hourMs);
    // Nine tries in the first minutes, then one each five.
    expect(times('cancelOrder')).toBeGreaterThan(24);
    expect(times('cancelOrder')).toBeLessThan(38);
  });

  it('that is asked for in vain is shown as stuck from five minutes on, until it is answered', async () => {
    const shown: unknown[] = [];
    const startedAt = await time().env.currentTimeMs();
    const look = async (attempt: number) => {
      const attributes = (await ownRun().describe()).typedSearchAttributes;
      const [since, next] = [attributes.get(rxStuckSince), attributes.get(rxNextTry)];
      shown.push([
        attempt,
        attributes.get(rxStuck),
        since && Math.round((since.getTime() - startedAt) / minuteMs),
        next?.getTime(),
      ]);
    };
    const said = Array.from({ length: 11 }, () => silence);
    const one = cancelling({}, [...said, { state: 'approved' }], { onAttempt: look });
    const { handle } = await run(one);
    const stuck = shown.filter((row) => (row as unknown[])[1] !== undefined);
    // Nine tries in 4 min 15 s, the tenth after 8 min 31 s.
    expect(stuck).toEqual([10, 11, 12].map((attempt) => [attempt, 'cancelOrder', 0, expect.any(Number)]));
    const after = (await handle.describe()).typedSearchAttributes;
    expect(
      [rxStuck, rxStuckSince, rxNextTry, rxWaiting].map((key) => after.get(key as typeof rxStuck)),
    ).toEqual(Array.from({ length: 4 }, () => undefined));
  });

  it('that is asked for anew, after a denial, begins with the first attempt', async () => {
    const ending = await run(
      cancelling({}, [silence, { state: 'approved' }], {
        onAttempt: (attempt, row) => {
          if (attempt === 1) row.current = row.current && { ...row.current, number: 2 };
        },
      }),
    );
    expect(ending.inputs('cancelOrder')).toMatchObject([{ number: 1 }, { number: 2 }]);
    expect(ending.inputs('recordCancellation')).toMatchObject([{ number: 2 }]);
  });
});

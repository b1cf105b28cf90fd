// The clock of the time-skipping server, which all these tests lean on.
import { expect, it } from '@jest/globals';
import { abandonedCheckout } from '../../replay/cases/abandoned-checkout.js';
import { useRuns } from '../runs.js';

const { run, time } = useRuns('abandonedCheckout');
const lock = () => time().env.connection.testService!.lockTimeSkipping({});

it('skips time where a lock of it is not given back', async () => {
  const { result, tookMs } = await run(abandonedCheckout['reminded']!, lock);
  expect(result).toBe('reminded');
  expect(await tookMs()).toBeGreaterThanOrEqual(30 * 60_000);
});

it('still skips it for the next run, and for one that meets a second lock', async () => {
  const { result } = await run(abandonedCheckout['reminded']!);
  expect(result).toBe('reminded');
  const again = await run(abandonedCheckout['reminded']!, lock);
  expect(again.result).toBe('reminded');
});

it('gives back two locks in one wait', async () => {
  const { result } = await run(abandonedCheckout['reminded']!, async () => {
    await lock();
    await lock();
  });
  expect(result).toBe('reminded');
});

import { describe, expect, it } from '@jest/globals';
import { submittedSignal } from '../../../workflows/messages.js';
import { abandonedCheckout, following } from '../../replay/cases/abandoned-checkout.js';
import { outcomes } from '../code-mails.js';
import { failingFirst } from '../orchestrator/pipeline-activities.js';
import { useRuns } from '../runs.js';

const { run, testCases, time } = useRuns('abandonedCheckout');
const minuteMs = 60_000;
const attempts = (...numbers: number[]) => ({
  remindOfCheckout: numbers.map((attempt) => ({ attempt })),
});

describe('a checkout that was begun', () => {
  testCases(abandonedCheckout);
  testCases({
    outage: following(
      failingFirst(10, async () => 'sent' as const),
      {
        behavior: 'the notification service is asked until it answers, under the same key',
        result: 'reminded',
        inputs: attempts(...Array<number>(11).fill(1)),
      },
    ),
    undelivered: following(outcomes('undelivered', 'undelivered'), {
      behavior: 'a reminder that no channel delivered is tried again',
      result: 'reminded',
      inputs: attempts(1, 2, 3),
    }),
  });

  it('is reminded of 30 minutes after the address was verified', async () => {
    const { tookMs } = await run(abandonedCheckout['reminded']!);
    expect(Math.round((await tookMs()) / minuteMs)).toBe(30);
  });

  it('is not reminded of when it is submitted after 29 minutes', async () => {
    const { result, calls } = await run(abandonedCheckout['reminded']!, async (handle) => {
      await time().env.sleep(29 * minuteMs);
      await handle.signal(submittedSignal);
    });
    expect([result, calls]).toEqual(['submitted', []]);
  });
});

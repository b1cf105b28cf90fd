import { ApplicationFailure } from '@temporalio/common';
import { afterAll, describe, expect, test } from '@jest/globals';
import { type Activity, composed, entries, hosting } from '../composed.js';
import { eventually } from '../../helpers/client.js';
import { closeParts, running } from '../real-parts.js';

afterAll(closeParts);

describe.each(hosting)('%s', (service) => {
  const activities = composed(service);
  const arrangements = entries[service] ?? {};

  test.each(Object.keys(arrangements))('%s run twice at once has one effect', async (name) => {
    const arranged = await arrangements[name]!();
    const { input, answers, thenAnswers, seen, once, atLeastOnce } = arranged;
    const given = await Promise.all([1, 2].map((attempt) => untilDone(activities[name]!, input, attempt)));
    const expected = 'thenAnswers' in arranged ? [answers, thenAnswers] : [answers];
    for (const answer of given) expect(expected).toContainEqual(answer);
    expect(await seen?.()).toEqual(atLeastOnce === undefined ? once : [once, once].flat());
  });
});

/** As Temporal does: what fails and is not refused is run again. */
async function untilDone(activity: Activity, input: unknown, attempt: number): Promise<unknown> {
  let next = attempt;
  const { answer } = await eventually(() =>
    running(activity, input, next).then(
      (answer) => ({ answer }),
      (error: unknown) => {
        if (error instanceof ApplicationFailure && error.nonRetryable === true) throw error;
        next += 1;
        return undefined;
      },
    ),
  );
  return answer;
}

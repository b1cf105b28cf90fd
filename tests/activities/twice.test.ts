import { afterAll, describe, expect, test } from '@jest/globals';
import { composed, entries, hosting } from './composed.js';
import { closeParts, running } from './real-parts.js';

afterAll(closeParts);

describe.each(hosting)('%s', (service) => {
  const activities = composed(service);
  const arrangements = entries[service] ?? {};
  const names = Object.keys(arrangements);

  test('has an entry for every activity of its workers, and no other', () => {
    expect(names.sort()).toEqual(Object.keys(activities).sort());
  });

  test.each(names)('%s run twice has one effect', async (name) => {
    const activity = activities[name]!;
    const arranged = await arrangements[name]!();
    const { input, answers, seen, once, meanwhile, atLeastOnce } = arranged;

    const answer = await running(activity, input);
    expect(answer).toEqual(answers);
    expect(await seen?.()).toEqual(once);

    await meanwhile?.();
    const before = await seen?.();
    const repeated = await running(activity, input, 2);
    expect(repeated).toEqual('thenAnswers' in arranged ? arranged.thenAnswers : answer);
    expect(await seen?.()).toEqual(atLeastOnce === undefined ? before : [before, before].flat());
  });
});

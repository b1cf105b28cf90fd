// Runs part of the short tier (`npm run evidence -- faults --short`). The longer tiers have controls.
import { expect, test } from '@jest/globals';
import { planOf } from './plan.js';
import { sliceOnItsOwn } from './slice.js';

test('clients under kills and lost answers: the parties hold everything once, and each planted fault is seen', async () => {
  const plan = planOf({ seed: 1, slice: 0, split: true, stories: 8 });
  const { signal: interrupted } = new AbortController();
  const { findings, missed } = await sliceOnItsOwn(plan, { say: () => undefined, interrupted });
  // On a busy machine, an answer may take longer than a call's timeout.
  const ofTheMachine = ({ class: kind }: { class: string }) =>
    kind === 'our own outage' || kind === 'untrue warning';
  expect(findings.filter((finding) => !ofTheMachine(finding))).toEqual([]);
  expect(missed).toEqual([]);
}, 900_000);

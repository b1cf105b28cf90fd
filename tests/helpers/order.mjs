import { statSync } from 'node:fs';

/** Files that are small and take long: what they do is in their helpers, or in other programs. */
const long =
  /\/(activities\/twice|activities\/long\/twice-at-once|plan-years|build\/release|build\/python-client|build\/containers|cli\/rehearse|starts\/answers)\.test\.ts$/;

const weight = ({ path, context }) =>
  context.config.displayName?.name === 'faults' || long.test(path) ? Infinity : statSync(path).size;

/** Starts what takes longest first: the fault tests and some others, and then the largest file. */
export default class Order {
  sort(tests) {
    const weights = new Map(tests.map((test) => [test, weight(test)]));
    // Infinity minus Infinity is not a number.
    return [...tests].sort((a, b) =>
      weights.get(b) === weights.get(a) ? 0 : weights.get(b) - weights.get(a),
    );
  }
  cacheResults() {
    // The order is the same everywhere, so the durations of earlier runs are not kept.
  }
}

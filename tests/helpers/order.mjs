import { statSync } from 'node:fs';

const weight = ({ path, context }) =>
  context.config.displayName?.name === 'faults' ? Infinity : statSync(path).size;

/** Starts the fault tests first, because they take longest, and then the largest file. */
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

import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** With what it imports for its tests: those of several subjects share a system or a server. */
function size(path) {
  const subjects = [...readFileSync(path, 'utf8').matchAll(/^import '(.+)\.js';$/gm)];
  return subjects.reduce(
    (sum, [, subject]) => sum + size(join(dirname(path), `${subject}.ts`)),
    statSync(path).size,
  );
}

const weight = ({ path, context }) => (context.config.displayName?.name === 'faults' ? Infinity : size(path));

/** The faults first, which take longest, then the largest file. */
export default class Order {
  sort(tests) {
    const weights = new Map(tests.map((test) => [test, weight(test)]));
    // Two of the faults weigh the same.
    return [...tests].sort((a, b) =>
      weights.get(b) === weights.get(a) ? 0 : weights.get(b) - weights.get(a),
    );
  }
  cacheResults() {
    // The order is the same everywhere; how long a file took before plays no part.
  }
}

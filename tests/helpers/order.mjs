import { statSync } from 'node:fs';

const weight = ({ path, context }) =>
  context.config.displayName?.name === 'faults' ? Infinity : statSync(path).size;

/**
 * The faults first, then the largest file: Jest itself goes by size, and the files of the faults are short, since they
 * import their tests, but take longest.
 */
export default class Order {
  sort(tests) {
    return [...tests].sort((a, b) => (weight(b) === weight(a) ? 0 : weight(b) - weight(a)));
  }
  cacheResults() {
    // The order is the same everywhere; how long a file took before plays no part.
  }
}

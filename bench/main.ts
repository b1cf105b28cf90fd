import { approve } from './approve.js';
import { events } from './events.js';
import { fairness } from './fairness.js';
import { memory } from './memory.js';
import { refills } from './refills.js';
import { report } from './report.js';
import { start } from './start.js';

/** `npm run bench -- <name>`, the approval without a name. */
const benches = { approve, events, fairness, memory, refills, start };

const name = process.argv[2] ?? 'approve';
if (!Object.hasOwn(benches, name)) {
  console.error(`There is no bench ${name}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}
const figures = await benches[name as keyof typeof benches]();
console.log(report(name, figures));
process.exit(0);

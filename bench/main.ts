import { parseArgs } from 'node:util';
import { approve } from './approve.js';
import { events } from './events.js';
import { fairness } from './fairness.js';
import { growth } from './growth.js';
import { afterKills } from './kills.js';
import { memory } from './memory.js';
import { refills } from './refills.js';
import { report } from './report.js';
import { sdk } from './sdk.js';
import { start } from './start.js';

/** `npm run bench -- <name> [--n <how many>]`, the approval without a name. */
const benches: Record<string, (n?: number) => ReturnType<typeof approve>> = {
  approve,
  events: () => events(),
  fairness: () => fairness(),
  growth,
  kills: () => afterKills(),
  memory,
  refills: () => refills(),
  sdk,
  start: () => start(),
};

const { positionals, values } = parseArgs({ options: { n: { type: 'string' } }, allowPositionals: true });
const [name = 'approve'] = positionals;
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
const n = values.n === undefined ? undefined : Number(values.n);
if (!bench || (n !== undefined && !(n > 0))) {
  console.error(`npm run bench -- ${Object.keys(benches).join('|')} [--n <how many>]`);
  process.exit(2);
}
const figures = await bench(n);
console.log(report(name, figures));
process.exit(0);

import { startTestSystem } from '../../tests/helpers/system.js';
import { callsOn } from './calls.js';
import { flood } from './measure.js';
import { memoryMiB } from './processes.js';
import { type Figure, say } from './report.js';

const parts = 5;
/** The limit on a busy machine; the figures state the number of approvals. */
const wholeWithinMs = 3_600_000;

/**
 * Measures the memory of product and sandbox after many approvals. Growth between parts is no cache.
 * @param approvals in all, 10 of them in flight
 */
export async function memory(approvals = 10_000): Promise<Figure[]> {
  const { system, stop } = await startTestSystem();
  try {
    const { sandbox, api, workers } = system.dev.pids;
    const shown = () => {
      const product = memoryMiB([...new Set([api, workers])]);
      const outside = memoryMiB([sandbox]);
      return `${(product + outside).toFixed(0)} MiB (product ${product.toFixed(0)}, sandbox ${outside.toFixed(0)})`;
    };
    const { approve } = callsOn(system.dev);
    const part = { runs: Math.ceil(approvals / parts), inFlight: 10, withinMs: wholeWithinMs / parts };
    const figures: Figure[] = [{ figure: 'product and sandbox, ready', measured: shown() }];
    let done = 0;
    for (let turn = 0; turn < parts; turn += 1) {
      done += (await flood(approve, part)).done;
      say(`${done} approvals`);
      figures.push({ figure: `after ${done} approvals`, measured: shown() });
    }
    Object.assign(figures.at(-1) ?? {}, { goal: '<= 700 MiB after 10,000' });
    return figures;
  } finally {
    await stop();
  }
}

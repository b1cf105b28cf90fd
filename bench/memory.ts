import { startTestSystem } from '../tests/helpers/system.js';
import { callsOn } from './calls.js';
import { flood } from './measure.js';
import { memoryMiB } from './processes.js';
import type { Figure } from './report.js';

/** The limit keeps it bounded on a busy machine; the figures say how many approvals there were. */
const half = { runs: 1_000, inFlight: 10, withinMs: 180_000 };

/** What the product and the sandbox hold after many approvals; the growth from half-way shows what is not a cache. */
export async function memory(): Promise<Figure[]> {
  const { system, stop } = await startTestSystem();
  try {
    const { sandbox, api, workers } = system.dev.pids;
    const held = () => ({ product: memoryMiB([...new Set([api, workers])]), sandbox: memoryMiB([sandbox]) });
    const { approve } = callsOn(system.dev);
    const shown = ({ product, sandbox: outside }: ReturnType<typeof held>) =>
      `${(product + outside).toFixed(0)} MiB (product ${product.toFixed(0)}, sandbox ${outside.toFixed(0)})`;

    const atStart = held();
    const first = await flood(approve, half);
    const halfWay = held();
    const second = await flood(approve, half);
    return [
      { figure: 'product and sandbox, ready', measured: shown(atStart) },
      { figure: `after ${first.done} approvals`, measured: shown(halfWay) },
      {
        figure: `after ${first.done + second.done} approvals`,
        measured: shown(held()),
        goal: '<= 700 MiB after 10,000',
      },
    ];
  } finally {
    await stop();
  }
}

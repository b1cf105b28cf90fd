import { performance } from 'node:perf_hooks';
import { faultsOf, writeStorm } from '../../tests/faults/event-storm.js';
import { eventually } from '../../tests/helpers/client.js';
import { startReceiver } from '../../tests/helpers/receiver.js';
import { startTestSystem } from '../../tests/helpers/system.js';
import type { Figure } from './report.js';

const size = { events: 5_000, stops: 10, aggregates: 200 };

/**
 * Proves that no event is lost or out of order: many writers, an outbox, two consumers, and a database that stops
 * repeatedly.
 */
export async function events(): Promise<Figure[]> {
  const sink = await startReceiver(() => 200);
  const { system, stop } = await startTestSystem({ split: true, env: { EVENT_SINK_URL: sink.url } });
  try {
    const startedAt = performance.now();
    const storm = await writeStorm({ dev: system.dev, sink: sink.received, ...size });
    const writtenAt = performance.now();
    const of = async (trace: () => Promise<Map<string, number[]>> | Map<string, number[]>) =>
      faultsOf(storm.committed, await trace());
    await eventually(async () => (await of(storm.router)).lost === 0 && (await of(storm.sink)).lost === 0);
    const endedAt = performance.now();
    const [router, outside] = [await of(storm.router), await of(storm.sink)];
    const committed = [...storm.committed.values()].reduce((sum, last) => sum + last, 0);
    await storm.close();
    return [
      {
        figure: 'events of 8 writers, stops of the database, transactions broken by them',
        measured: `${committed}, ${size.stops}, ${storm.broken}`,
      },
      {
        figure: 'lost, out of order: router',
        measured: `${router.lost}, ${router.inversions}`,
        goal: '0, 0',
        isMet: router.lost === 0 && router.inversions === 0,
      },
      {
        figure: 'lost, out of order: outside sink',
        measured: `${outside.lost}, ${outside.inversions}`,
        goal: '0, 0',
        isMet: outside.lost === 0 && outside.inversions === 0,
      },
      {
        figure: 'control, lost by a reader that goes by the last number seen',
        measured: String(storm.lostByLastNumberSeen),
        goal: '> 0',
        isMet: storm.lostByLastNumberSeen > 0,
      },
      {
        figure: 'written within, and delivered to both after another',
        measured: `${((writtenAt - startedAt) / 1000).toFixed(0)} s, ${((endedAt - writtenAt) / 1000).toFixed(0)} s`,
      },
    ];
  } finally {
    await stop();
    await sink.stop();
  }
}

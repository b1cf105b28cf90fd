import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DevJson } from '../../../dev/dev-json.js';
import { eventually } from '../../helpers/client.js';
import { type Receiver, startReceiver } from '../../helpers/receiver.js';
import { startTestSystem, type TestSystem } from '../../helpers/system.js';
import { faultsOf, type Storm, writeStorm } from '../event-storm.js';

const [events, stops] = [300, 2];

let testSystem: TestSystem;
let dev: DevJson;
let sink: Receiver;
let isSinkUp = true;
const storms: Storm[] = [];
beforeAll(async () => {
  sink = await startReceiver(() => (isSinkUp ? 200 : 503));
  testSystem = await startTestSystem({ split: true, env: { EVENT_SINK_URL: sink.url } });
  dev = testSystem.system.dev;
});
afterAll(async () => {
  await Promise.all(storms.map((storm) => storm.close()));
  await testSystem.stop();
  await sink.stop();
});

async function storm(options: { events: number; stops: number; aggregates: number }): Promise<Storm> {
  const written = await writeStorm({ dev, sink: sink.received, ...options });
  storms.push(written);
  return written;
}
const nothing = { lost: 0, inversions: 0 };
/** Waits until a consumer lacks nothing, and gives how it got there. */
const complete = async (
  { committed }: Storm,
  trace: () => Promise<Map<string, number[]>> | Map<string, number[]>,
) =>
  eventually(async () => {
    const faults = faultsOf(committed, await trace());
    return faults.lost === 0 && faults;
  });

test(`${events} events of eight writers with ${stops} stops of the database reach each consumer in order, none lost`, async () => {
  const written = await storm({ events, stops, aggregates: 24 });
  expect(await complete(written, written.router)).toEqual(nothing);
  expect(await complete(written, written.sink)).toEqual(nothing);
  // The stops met transactions under way, and the transactions did commit out of order: a reader that goes by the
  // last number it has seen loses events.
  expect(written.broken).toBeGreaterThan(0);
  expect(written.lostByLastNumberSeen).toBeGreaterThan(0);
});

test('a consumer that is down holds up no other, and has it all in order once it is up again', async () => {
  isSinkUp = false;
  const written = await storm({ events: 60, stops: 0, aggregates: 6 });
  expect(await complete(written, written.router)).toEqual(nothing);
  expect(written.sink().size).toBe(0);
  isSinkUp = true;
  expect(await complete(written, written.sink)).toEqual(nothing);
});

import { setTimeout as pause } from 'node:timers/promises';
import type { DevJson } from '../../dev/dev-json.js';
import { call } from '../../tests/helpers/client.js';
import type { Random } from '../../tests/helpers/random.js';
import { type Answer, startReceiver } from '../../tests/helpers/receiver.js';
import type { ToldEvent } from './judge-events.js';

/** What it does with a delivery. Whatever its harm, it is there again for the next one. */
const deeds = {
  'takes it': 50,
  'answers 500': 20,
  hangs: 3,
  'lies: answers 2xx and forgets': 12,
  'is killed before it keeps it': 8,
  'is killed after it has kept it': 7,
};
type Deed = keyof typeof deeds;

export interface EventReader {
  /** The newest sequence before its first event. */
  after: number;
  /** What it has kept, in its order. */
  kept: readonly ToldEvent[];
  /** The sequences of all deliveries that it answered with 2xx. */
  acknowledged: ReadonlySet<number>;
  done: Readonly<Partial<Record<Deed, number>>>;
  /** Reads what it misses by the cursor. */
  catchUp: () => Promise<void>;
  stop: () => Promise<void>;
}

/**
 * A client's reader of events (D130), whose store outlives it. It notices by the sequence that it misses events, and gets
 * them by a rewind of the endpoint or by the cursor.
 */
export async function startEventReader(dev: DevJson, random: Random): Promise<EventReader> {
  const kept: ToldEvent[] = [];
  const acknowledged = new Set<number>();
  const done: Partial<Record<Deed, number>> = {};
  let after = 0;
  let stopped = false;
  let comesBack = Promise.resolve();
  const last = () => kept.at(-1)?.sequence ?? after;
  const keep = (events: readonly ToldEvent[]) => {
    for (const event of events) if (event.sequence === last() + 1) kept.push(event);
  };

  async function catchUp(): Promise<void> {
    for (;;) {
      const path = `/orchestrator/events?after=${last()}`;
      const { body } = await call<{ events?: ToldEvent[] }>(dev, 'orchestrator', { path });
      const known = kept.length;
      keep(body.events ?? []);
      if (kept.length === known) return;
    }
  }
  const rewind = () =>
    call(dev, 'orchestrator', {
      method: 'POST',
      path: '/orchestrator/event-endpoint/rewind',
      body: { after: last() },
    });

  const acknowledge = (events: readonly ToldEvent[]): Answer => {
    for (const { sequence } of events) acknowledged.add(sequence);
    return 200;
  };
  function take(events: readonly ToldEvent[]): Answer {
    const misses = (events[0]?.sequence ?? 0) > last() + 1;
    keep(events);
    // What is down now answers a later delivery.
    if (misses) void (random.chance(0.5) ? rewind() : catchUp()).catch(() => undefined);
    return acknowledge(events);
  }
  function beKilled(): Answer {
    const killed = receiver;
    comesBack = pause(0)
      .then(() => killed.stop())
      .then(() => pause(random.between(500, 3_000)))
      .then(async () => {
        if (!stopped) receiver = await startReceiver(answerTo, port);
      });
    return 'reset';
  }
  function answerTo({ body, count }: { body: string; count: number }): Answer {
    const { events } = JSON.parse(body) as { events: ToldEvent[] };
    // Each deed comes once early, so that a short slice has them all.
    const early = count % 2 === 0 ? (Object.keys(deeds) as Deed[]).find((deed) => !done[deed]) : undefined;
    const deed = early ?? random.weighted(deeds);
    done[deed] = (done[deed] ?? 0) + 1;
    switch (deed) {
      case 'takes it':
        return take(events);
      case 'answers 500':
        return 500;
      case 'hangs':
        return 'hang';
      case 'lies: answers 2xx and forgets':
        return acknowledge(events);
      case 'is killed before it keeps it':
        return beKilled();
      case 'is killed after it has kept it':
        keep(events);
        return beKilled();
    }
  }

  let receiver = await startReceiver(answerTo);
  const port = Number(new URL(receiver.url).port);
  const { body } = await call<{ endpoint: { deliveredUpTo: number } }>(dev, 'orchestrator', {
    method: 'PUT',
    path: '/orchestrator/event-endpoint',
    body: { url: receiver.url },
  });
  after = body.endpoint.deliveredUpTo;
  return {
    after,
    kept,
    acknowledged,
    done,
    catchUp,
    stop: async () => {
      stopped = true;
      await comesBack;
      await receiver.stop().catch(() => undefined);
    },
  };
}

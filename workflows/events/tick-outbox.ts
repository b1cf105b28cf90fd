import type { OutboxActivities } from '../../activities/outbox.js';
import { ordinary } from '../proxies.js';

// Somebody waits for the answer; the relay goes on whatever becomes of this.
const relay = ordinary<OutboxActivities>({
  startToCloseTimeout: '12 s',
  retry: { initialInterval: '500 ms', maximumAttempts: 2 },
});

/** One pass over a service's outbox, on request. @returns how many entries it shipped */
export async function tickOutbox(service: string): Promise<number> {
  return relay(`One pass over the outbox of ${service}`).tickOutbox();
}

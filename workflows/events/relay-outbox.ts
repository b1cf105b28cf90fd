import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { OutboxActivities } from '../../activities/outbox.js';
import { ordinary } from '../proxies.js';

// One activity for a day at a time; a lost worker is noticed within seconds and another one takes over.
const relay = ordinary<OutboxActivities>({
  startToCloseTimeout: '1 day',
  heartbeatTimeout: '6 s',
  retry: { initialInterval: '1 s', maximumInterval: '5 s' },
});

/** Keeps the relay of a service's outbox running on exactly one of its workers, for ever. */
export async function relayOutbox(service: string): Promise<void> {
  setCurrentDetails(
    `Ships what **${service}** has to make known, as it is committed.\nIf its activity retries, the database or this server is away; it goes on by itself.`,
  );
  while (!workflowInfo().continueAsNewSuggested) await relay(`Relay the outbox of ${service}`).relayOutbox();
  await continueAsNew<typeof relayOutbox>(service);
}

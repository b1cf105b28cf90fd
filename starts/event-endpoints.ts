import type { Client } from '@temporalio/client';
import { endpointWorkflowId } from '../workflows/ids.js';
import { testEndpointUpdate } from '../workflows/messages.js';
import { type Run, signalRecheck, updateWithStart } from './runs.js';

/** Signals the run that delivers a client's events (D130), and starts it if there is none. */
export const recheckEndpoint = (temporal: Client, client: string) =>
  signalRecheck(temporal, delivering(client));

/** Delivers a test event between two deliveries. */
export const testEndpoint = (temporal: Client, client: string, withinMs: number) =>
  updateWithStart(temporal, delivering(client), { update: testEndpointUpdate, args: [], withinMs });

const delivering = (client: string): Run<'deliverToEndpoint'> => ({
  workflow: 'deliverToEndpoint',
  id: endpointWorkflowId(client),
  queue: 'orchestrator',
  args: [client],
  summary: `Events of ${client === '' ? 'the default client' : `client ${client}`}`,
  details: 'Delivers them in order; the same delivery again until the receiver takes it.',
});

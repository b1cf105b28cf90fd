import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { EndpointActivities } from '../../../activities/orchestrator/event-endpoints.js';
import { callsTo } from '../../api/orchestrator/approvals.js';
import { db, dev } from '../real-parts.js';
import type { Entries } from '../twice.js';

/** An endpoint with three events that are due in an hour: nobody delivers them meanwhile. */
async function endpoint(batchId: string | null = randomUUID()) {
  const client = `twice-${randomUUID().slice(0, 8)}`;
  const body = batchId && JSON.stringify({ events: [{ sequence: 1 }] });
  await db`
    insert into orchestrator.client_event (client, type, task_id, data, sequence)
    select ${client}, 'approval.denied', 'twice', '{}', n from generate_series(1, 3) as n
  `;
  await db`insert into orchestrator.client_stream (client, last_sequence) values (${client}, 3)`;
  await db`
    insert into orchestrator.event_endpoint
      (client, url, key_id, state, delivered_up_to, batch_id, batch_events, batch_up_to, batch_body, next_attempt_at)
    values (${client}, ${`${dev.sandbox}/crm`}, ${dev.apiKeys['approvals']!.key}, 'enabled', 0, ${batchId}, 3, 3, ${body},
      now() + interval '1 hour')
  `;
  return { client, batchId: batchId ?? '' };
}
const rowOf = async (client: string) => {
  const [row] = await db`
    select state, delivered_up_to::int, batch_id, attempts from orchestrator.event_endpoint where client = ${client}
  `;
  return row;
};
const arrived = async (id: string) =>
  (await callsTo(dev, 'crm')).map(({ headers }) => headers['webhook-id']).filter((sent) => sent === id);

/** The entries of the deliveries to endpoints. */
export const endpoints: Entries<EndpointActivities> = {
  nextBatch: async () => {
    const { client } = await endpoint(null);
    return {
      input: { client },
      answers: {
        batchId: expect.any(String),
        events: 3,
        upTo: 3,
        series: 1,
        attempts: 0,
        lastError: null,
        firstAttemptAt: null,
        dueAt: expect.any(Number),
      },
      seen: async () =>
        db`select batch_events, batch_up_to::int, delivered_up_to::int from orchestrator.event_endpoint
          where client = ${client}`,
      once: [{ batchEvents: 3, batchUpTo: 3, deliveredUpTo: 0 }],
    };
  },
  deliverBatch: async () => {
    const input = await endpoint();
    const answers = { at: expect.any(String), status: 200, error: null, durationMs: expect.any(Number) };
    return {
      input,
      answers,
      thenAnswers: answers,
      seen: () => arrived(input.batchId),
      once: [input.batchId],
      atLeastOnce: 'a receiver gets a delivery until it takes it; it knows a repeat by its webhook-id (D130)',
    };
  },
  recordBatchAttempt: async () => {
    const { client, batchId } = await endpoint();
    const attempt = { at: new Date().toISOString(), status: 200, error: null, durationMs: 5 };
    return {
      input: { ...attempt, client, batchId, series: 1, attempts: 1 },
      seen: () => rowOf(client),
      once: { state: 'enabled', deliveredUpTo: 3, batchId: null, attempts: 0 },
    };
  },
  deliverTestEvent: async () => {
    const { client } = await endpoint();
    const answers = { status: 200, durationMs: expect.any(Number) };
    return { input: { client }, answers, thenAnswers: answers };
  },
};

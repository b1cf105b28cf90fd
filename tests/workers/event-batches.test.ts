import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createSql, type Sql } from '../../db/client.js';
import { findBatch, fixNextBatch, recordNotTaken, recordTaken } from '../../db/orchestrator/event-batches.js';
import {
  disableEndpoint,
  findEndpoint,
  putEndpoint,
  resumeEndpoint,
} from '../../db/orchestrator/event-endpoints.js';
import { shared } from '../helpers/client.js';

const dev = shared();
const pool = createSql(dev.databaseUrl, { applicationName: 'test', max: 1 });
afterAll(() => pool.end());
let sql: Sql;

/** A test in a transaction that is undone: the running system sees no endpoint of it, and delivers nothing. */
const unseen = (title: string, work: () => Promise<void>) =>
  test(title, async () => {
    const undone = new Error('Undone');
    const tried = pool.begin(async (transaction) => {
      sql = Object.assign(transaction, { begin: transaction.savepoint }) as unknown as Sql;
      await work();
      throw undone;
    });
    await tried.catch((error: unknown) => {
      if (error !== undone) throw error;
    });
  });

/** An endpoint with 250 events of which every second is of another type, and a delivery under way. */
async function endpoint(types: string[] | null = null) {
  const client = `batch ${randomUUID()}`;
  await sql`
    insert into orchestrator.client_event (client, type, task_id, data, sequence)
    select ${client}, case when n % 2 = 0 then 'order.held' else 'approval.denied' end, 'batch', '{}', n
    from generate_series(1, 250) as n
  `;
  await sql`insert into orchestrator.client_stream (client, last_sequence) values (${client}, 250)`;
  await sql`
    insert into orchestrator.event_endpoint (client, url, types, key_id, state, delivered_up_to)
    values (${client}, 'http://127.0.0.1:1/', ${types}, ${dev.apiKeys['approvals']!.key}, 'enabled', 0)
  `;
  const batch = (await fixNextBatch(sql, client))!;
  const failed = {
    client,
    batchId: batch.batchId,
    series: batch.series,
    attempts: 1,
    at: new Date().toISOString(),
    status: 503,
    error: 'The receiver answered 503',
    failingAfterMs: 3_600_000,
  };
  return { client, batch, failed, now: async () => (await findEndpoint(sql, client))! };
}
const bodyOf = async (client: string, batchId: string) => (await findBatch(sql, { client, batchId }))?.body;

describe('A delivery (D130)', () => {
  unseen(
    'is fixed once: later looks find the same bytes under the same id, also after a failure',
    async () => {
      const { client, batch, failed } = await endpoint();
      const body = await bodyOf(client, batch.batchId);
      await recordNotTaken(sql, failed);
      const again = await fixNextBatch(sql, client);
      expect(again).toMatchObject({ batchId: batch.batchId, attempts: 1, events: 100, upTo: 100 });
      expect(await bodyOf(client, batch.batchId)).toBe(body);
    },
  );

  unseen('is taken once, and the next begins after it', async () => {
    const { client, batch, now } = await endpoint();
    const ups = [];
    for (let next: typeof batch | undefined = batch; next; next = await fixNextBatch(sql, client)) {
      ups.push([next.events, next.upTo]);
      await recordTaken(sql, { client, batchId: next.batchId });
      await recordTaken(sql, { client, batchId: next.batchId });
    }
    expect(ups).toEqual([
      [100, 100],
      [100, 200],
      [50, 250],
    ]);
    expect(await now()).toMatchObject({ deliveredUpTo: 250 });
  });

  unseen('reaches past the events of other types behind it', async () => {
    const { client, batch, now } = await endpoint(['approval.*']);
    expect(batch).toMatchObject({ events: 100, upTo: 199 });
    await recordTaken(sql, { client, batchId: batch.batchId });
    const next = (await fixNextBatch(sql, client))!;
    expect(next).toMatchObject({ events: 25, upTo: 250 });
    await recordTaken(sql, { client, batchId: next.batchId });
    expect(await now()).toMatchObject({ deliveredUpTo: 250 });
  });

  unseen('that a rewind overtook moves nothing, whatever came of it', async () => {
    const { client, batch, failed, now } = await endpoint();
    await resumeEndpoint(sql, client, 7);
    const next = (await fixNextBatch(sql, client))!;
    expect([next.upTo, next.batchId === batch.batchId]).toEqual([107, false]);
    await recordTaken(sql, { client, batchId: batch.batchId });
    await recordNotTaken(sql, failed);
    expect(await now()).toMatchObject({ deliveredUpTo: 7, failingSince: null, lastError: null });
  });

  unseen('stays as it is for another url, and is made anew for other types', async () => {
    const { client, batch, now } = await endpoint();
    const asked = { client, state: 'enabled' as const, keyId: dev.apiKeys['approvals']!.key };
    await putEndpoint(sql, { ...asked, url: 'http://127.0.0.1:2/', types: null });
    expect(await fixNextBatch(sql, client)).toMatchObject({ batchId: batch.batchId });
    await putEndpoint(sql, { ...asked, url: 'http://127.0.0.1:2/', types: ['order.*'] });
    const next = (await fixNextBatch(sql, client))!;
    expect([next.upTo, next.batchId === batch.batchId]).toEqual([200, false]);
    expect(await now()).toMatchObject({ types: ['order.*'], deliveredUpTo: 0 });
  });

  unseen('that failed before somebody asked to try at once does not delay it', async () => {
    const { client, failed } = await endpoint();
    await resumeEndpoint(sql, client);
    await recordNotTaken(sql, failed);
    expect(await fixNextBatch(sql, client)).toMatchObject({ attempts: 0, nextAttemptAt: null });
  });

  unseen(
    'ends with its endpoint: a failure does not bring a disabled one back, a success counts',
    async () => {
      const { client, batch, failed, now } = await endpoint();
      await disableEndpoint(sql, client);
      expect(await bodyOf(client, batch.batchId)).toBeUndefined();
      await recordNotTaken(sql, failed);
      expect(await now()).toMatchObject({ state: 'disabled', failingSince: null });
      expect(await fixNextBatch(sql, client)).toBeUndefined();
      await recordTaken(sql, { client, batchId: batch.batchId });
      expect(await now()).toMatchObject({ state: 'disabled', deliveredUpTo: 100 });
    },
  );
});

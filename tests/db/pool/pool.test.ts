import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { isDatabaseAway } from '../../../db/client.js';
import { createPool, type PoolOptions } from '../../../db/pool/pool.js';
import type { Sql } from '../../../db/pool/types.js';
import { startPostgres } from '../../faults/connections/endings.js';
import { eventually } from '../../helpers/client.js';

let server: Awaited<ReturnType<typeof startPostgres>>;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.stop());

async function withPool<T>(url: string, options: PoolOptions, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = createPool(url, options);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Sends a statement now, and not when the test first waits. */
const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'answered',
    (error: unknown) => (isDatabaseAway(error) ? 'away' : error),
  );

/** A server that does this with each connection. @returns its port */
async function withServer<T>(onConnection: (client: Socket) => void, work: (port: number) => Promise<T>) {
  const clients = new Set<Socket>();
  const listener: Server = createServer((client) => {
    clients.add(client);
    client.on('error', () => undefined);
    onConnection(client);
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  try {
    return await work((listener.address() as AddressInfo).port);
  } finally {
    for (const client of clients) client.destroy();
    listener.close();
  }
}

describe('two hosts', () => {
  const urlWith = (port: number) =>
    server.url().replace(`@127.0.0.1:${server.port}`, `@127.0.0.1:${port},127.0.0.1:${server.port}`);
  const answersBehind = (port: number) =>
    withPool(urlWith(port), { max: 1, connectWithinMs: 2_000 }, (sql) => outcome(sql`select 1`));

  test('the second host answers when the first one refuses connections', async () => {
    const closed = await withServer(
      () => undefined,
      async (port) => port,
    );
    expect(await answersBehind(closed)).toBe('answered');
  });

  test('the second host answers when the first one accepts connections and stays silent', async () => {
    expect(await withServer(() => undefined, answersBehind)).toBe('answered');
  });

  test('the second host answers when the first one closes each connection', async () => {
    expect(await withServer((client) => client.end(), answersBehind)).toBe('answered');
  });
});

test('all callers get an error when no host can be reached', async () => {
  const asked = await withServer(
    (client) => client.resetAndDestroy(),
    (port) =>
      withPool(server.url('127.0.0.1', port), { max: 2 }, (sql) =>
        Promise.all(Array.from({ length: 20 }, () => outcome(sql`select 1`))),
      ),
  );
  expect(new Set(asked)).toEqual(new Set(['away']));
});

test('a connection that is reset in the middle of an answer costs its callers one error each, and nothing hangs', async () => {
  let isCutting = true;
  const cutAnswers = (client: Socket) => {
    const behind = connect(server.port, '127.0.0.1');
    client.pipe(behind);
    client.on('close', () => behind.destroy());
    behind.on('error', () => client.destroy()).on('close', () => client.destroy());
    behind.on('data', (data) => {
      client.write(data);
      // Only the answer below is this large.
      if (isCutting && data.length > 5_000) client.resetAndDestroy();
    });
  };
  await withServer(cutAnswers, (port) =>
    withPool(server.url('127.0.0.1', port), { max: 3 }, async (sql) => {
      for (let round = 0; round < 10; round++) {
        // A caller that gets the error asks again at once, between the `error` and the `close` of the socket.
        const large = () => sql`select repeat('x', 1000) from generate_series(1, 1000)`;
        const asked = [1, 2, 3].map(() => outcome(large().catch(() => large())));
        expect(await Promise.all(asked)).toEqual(['away', 'away', 'away']);
      }
      isCutting = false;
      expect(await outcome(sql`select 1`)).toBe('answered');
    }),
  );
});

describe('end()', () => {
  test('end() answers everything that was asked before, and rejects what is asked later', async () => {
    const sql = createPool(server.url(), { max: 2 });
    const asked = Array.from({ length: 10 }, () => outcome(sql`select pg_sleep(0.02)`));
    const transaction = outcome(sql.begin((sql) => sql`select pg_sleep(0.05)`));
    await sql.end();
    expect(new Set(await Promise.all([...asked, transaction]))).toEqual(new Set(['answered']));
    expect(await outcome(sql`select 1`)).toBe('away');
    await sql.end();
  });

  test('end() with a time limit rejects what still runs or waits', async () => {
    const sql = createPool(server.url(), { max: 1 });
    const asked = Array.from({ length: 3 }, () => outcome(sql`select pg_sleep(60)`));
    await sql.end({ timeout: 0.1 });
    expect(await Promise.all(asked)).toEqual(['away', 'away', 'away']);
  });
});

test('a connection that nobody uses is closed, and the next statement opens another one', async () => {
  await withPool(server.url(), { max: 1, idleMs: 50 }, async (sql) => {
    const pid = async () => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;
    const first = await pid();
    await withPool(server.url(), { max: 1 }, (owner) =>
      eventually(async () => {
        const rows = await owner`select from pg_stat_activity where pid = ${first}`;
        return rows.length === 0;
      }),
    );
    expect(await pid()).not.toBe(first);
  });
});

test('a transaction that is started with a plain statement is rejected', async () => {
  await withPool(server.url(), { max: 1 }, async (sql) => {
    expect(await outcome(sql`begin`)).toEqual(new Error('Use begin() to start a transaction'));
    expect(await outcome(sql`select 1`)).toBe('answered');
  });
});

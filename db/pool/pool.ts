import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { arrayTypes } from './arrays.js';
import {
  type Address,
  type Connection,
  connectionError,
  type DriverOptions,
  openConnection,
} from './connection.js';
import { createStatements, type Send } from './statements.js';
import { runTransaction } from './transaction.js';
import type { Sql, Transaction } from './types.js';

export interface PoolOptions {
  /** The number of connections at most, without those that listen. */
  max: number;
  /** A connection that nobody has used for this long is closed. */
  idleMs?: number;
  /** A caller gets an error after this time if the database cannot be reached. */
  connectWithinMs?: number;
  driver?: DriverOptions;
}

/** The longest delay before a recovered database is noticed. */
const longestPauseMs = 500;

interface Waiting {
  resolve: (connection: Connection) => void;
  reject: (error: unknown) => void;
}

/**
 * A pool of connections, each used by one caller at a time.
 * @param url as libpq reads it, with one or more hosts
 */
export function createPool(url: string, options: PoolOptions): Sql {
  const { max, idleMs = 60_000, connectWithinMs = 4_000 } = options;
  const scalars = { onnotice: () => undefined, ...options.driver, max: 1 };
  // Elements of arrays are read and written as the same types are outside of arrays.
  const types = { ...scalars.types, ...arrayTypes(postgres(url, scalars).options) };
  const template = postgres(url, { ...scalars, types });
  const { host: hosts, port: ports, path, ssl } = template.options;
  const driver = { ...scalars, types, ssl };
  const addresses: Address[] = path ? [{ path }] : hosts.map((host, i) => ({ host, port: ports[i] ?? 5432 }));
  const [first] = addresses as [Address];

  /** All open connections of the pool, each with the timer that closes it when idle. */
  const connections = new Map<Connection, NodeJS.Timeout>();
  /** The last one released is the first one used, so that connections above the need become idle. */
  const idle: Connection[] = [];
  const waiting: Waiting[] = [];
  const listening = new Set<Connection>();
  const ending = new AbortController();
  let onEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (onEnded = resolve));
  let opening = 0;
  let attempts = 0;
  // Every opening that pauses listens to it.
  setMaxListeners(0, ending.signal);
  /** Attempts that have failed since the last one that succeeded. */
  let failures = 0;
  let failedAt = 0;

  async function withConnection<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    rejectIfEnding();
    let connection = idle.pop();
    // A connection may be lost between its release and its use. Nothing was sent, so the caller waits for another one.
    while (!connection || connection.lost) connection = await nextReleased();
    try {
      return await work(connection);
    } finally {
      release(connection);
    }
  }

  function rejectIfEnding(): void {
    if (ending.signal.aborted) throw connectionError('CONNECTION_ENDED', first);
  }

  const nextReleased = () =>
    new Promise<Connection>((resolve, reject) => {
      waiting.push({ resolve, reject });
      openMissing();
    });

  function release(connection: Connection): void {
    if (connection.lost) return;
    const next = waiting.shift();
    if (next) next.resolve(connection);
    else if (ending.signal.aborted) void connection.end();
    else {
      idle.push(connection);
      connections.get(connection)?.refresh();
    }
  }

  /** Takes the connection from the idle ones first, so that no caller gets it while it closes. */
  function closeIfIdle(connection: Connection): void {
    if (removeIdle(connection)) void connection.end();
  }

  function removeIdle(connection: Connection): boolean {
    const index = idle.indexOf(connection);
    if (index >= 0) idle.splice(index, 1);
    return index >= 0;
  }

  function add(connection: Connection): void {
    connections.set(connection, setTimeout(closeIfIdle, idleMs, connection));
    connection.onLost(() => {
      removeIdle(connection);
      clearTimeout(connections.get(connection));
      connections.delete(connection);
      openMissing();
      endIfUnused();
    });
    release(connection);
  }

  function endIfUnused(): void {
    if (!ending.signal.aborted) return;
    if (connections.size + listening.size + opening + waiting.length === 0) onEnded();
  }

  function openMissing(): void {
    while (opening < waiting.length && connections.size + opening < max) void openOne();
  }

  async function openOne(): Promise<void> {
    opening++;
    const connection = await open().catch((error: unknown) => {
      if (isUnreachable(error)) for (const { reject } of waiting.splice(0)) reject(error);
    });
    opening--;
    if (connection) add(connection);
    else {
      openMissing();
      endIfUnused();
    }
  }

  /**
   * Decides whether waiting callers get this error. One lost connection causes no error: every host must have failed,
   * and one of them twice or by its time limit. While other connections are open, those serve the callers.
   */
  function isUnreachable(error: unknown): boolean {
    const isTimeout = (error as { code?: unknown }).code === 'CONNECT_TIMEOUT';
    return connections.size === 0 && failures >= addresses.length + (isTimeout ? 0 : 1);
  }

  /** Tries one host: the one that worked last, or the next one after a failure. The pauses between failures grow. */
  async function open(listener: { channel?: string; onPayload?: (payload: string) => void } = {}) {
    const pauseMs = failures < 2 ? 0 : Math.min(10 * 2 ** failures, longestPauseMs);
    const restMs = failedAt + pauseMs - performance.now();
    if (restMs > 0) await sleep(restMs, undefined, { signal: ending.signal }).catch(() => undefined);
    const address = addresses[attempts % addresses.length] ?? first;
    const withinMs = connectWithinMs / addresses.length;
    try {
      const connection = await openConnection(url, driver, { address, withinMs, ...listener });
      failures = 0;
      return connection;
    } catch (error) {
      attempts++;
      failures++;
      failedAt = performance.now();
      throw error;
    }
  }

  async function listen(channel: string, onPayload: (payload: string) => void): Promise<void> {
    rejectIfEnding();
    const listener = { channel, onPayload };
    void keepListening(await open(listener), () => open(listener));
  }

  async function keepListening(connection: Connection, reopen: () => Promise<Connection>): Promise<void> {
    listening.add(connection);
    if (ending.signal.aborted) void connection.end();
    await new Promise<Error>((resolve) => void connection.onLost(resolve));
    let next: Connection | undefined;
    while (!next && !ending.signal.aborted) next = await reopen().catch(() => undefined);
    listening.delete(connection);
    if (next) void keepListening(next, reopen);
    else endIfUnused();
  }

  async function end({ timeout }: { timeout?: number } = {}): Promise<void> {
    ending.abort();
    for (const connection of [...idle]) closeIfIdle(connection);
    for (const connection of listening) void connection.end();
    endIfUnused();
    const cutOff = () => {
      for (const { reject } of waiting.splice(0)) reject(connectionError('CONNECTION_DESTROYED', first));
      for (const connection of connections.keys()) connection.drop();
      onEnded();
    };
    const overdue = timeout === undefined ? undefined : setTimeout(cutOff, timeout * 1000);
    await ended;
    clearTimeout(overdue);
  }

  const send: Send = (ask) =>
    withConnection(async (connection) => {
      const answer = await connection.ask(ask);
      if ((answer as { command?: unknown }).command !== 'BEGIN') return answer;
      // The transaction would stay open in the pool.
      connection.drop();
      throw new Error('Use begin() to start a transaction');
    });

  function begin(...args: [...options: string[], work: (sql: Transaction) => unknown]): Promise<unknown> {
    const [work, options = ''] = args.reverse() as [(sql: Transaction) => unknown, string?];
    return withConnection((connection) => runTransaction(connection, template, options, work));
  }

  return Object.assign(createStatements(template, send), { begin: begin as Sql['begin'], listen, end });
}

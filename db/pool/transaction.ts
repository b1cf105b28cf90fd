import postgres from 'postgres';
import type { Ask, Connection } from './connection.js';
import { createStatements, type Send } from './statements.js';
import type { Transaction } from './types.js';

type Work<T> = (sql: Transaction) => T | Promise<T>;

/**
 * Runs `work` in a transaction on a connection that nobody else uses meanwhile. Once the connection is lost or the
 * transaction has ended, its statements are rejected: the connection may already belong to another transaction.
 */
export async function runTransaction<T>(
  connection: Connection,
  template: postgres.Sql,
  options: string,
  work: Work<T>,
): Promise<T> {
  let savepoints = 0;
  let isOver = false;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: with several under way, the driver may reject the wrong one and never answer the other. */
  function enqueue<T>(ask: Ask<T>): Promise<T> {
    const answer = last.then(() => connection.ask(ask));
    last = answer.catch(() => undefined);
    return answer;
  }

  const send: Send = (ask) =>
    isOver ? Promise.reject(connection.lost ?? new Error('The transaction has ended')) : enqueue(ask);

  /** Also while `work` waits for something else than the database. */
  const untilLost = (running: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const removeListener = connection.onLost(reject);
      running.then(resolve, reject).finally(removeListener);
    });

  await enqueue((sql) => sql.unsafe(`begin ${options.replace(/[^a-z ]/gi, '')}`));
  try {
    const result = await untilLost(runScope(work));
    isOver = true;
    const { command } = await enqueue((sql) => sql.unsafe('commit'));
    // Postgres answers the commit of a failed transaction with a rollback, and without an error.
    if (command !== 'COMMIT') throw new Error('A statement that nobody waited for failed the transaction');
    return result;
  } catch (error) {
    isOver = true;
    // A connection that is still inside a transaction must not go back to the pool.
    await enqueue((sql) => sql.unsafe('rollback')).catch(() => connection.drop());
    throw connection.lost ?? error;
  }

  /** @param savepoint the name of the savepoint around `work`; undefined for the whole transaction */
  async function runScope<T>(work: Work<T>, savepoint?: string): Promise<T> {
    const failures: unknown[] = [];
    const sql: Transaction = Object.assign(
      createStatements(template, (ask) => {
        const answer = send(ask);
        answer.catch((error: unknown) => failures.push(error));
        return answer;
      }),
      { savepoint: <T>(work: Work<T>) => runScope(work, `s${savepoints++}`) },
    );
    if (savepoint !== undefined) await send((sql) => sql.unsafe(`savepoint ${savepoint}`));
    try {
      const result = await work(sql);
      // Statements that nobody waited for count, too.
      await last;
      if (failures.length > 0) throw failures[0];
      return result;
    } catch (error) {
      if (savepoint !== undefined) await send((sql) => sql.unsafe(`rollback to ${savepoint}`));
      // "The transaction is aborted" says nothing; the first failure is the cause.
      const isConsequence = error instanceof postgres.PostgresError && error.code === '25P02';
      throw isConsequence && failures.length > 0 ? failures[0] : error;
    }
  }
}

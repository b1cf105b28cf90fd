import postgres from 'postgres';
import type { Ask } from './connection.js';
import type { Queryable } from './types.js';

/** Passes a statement to a connection and waits for the answer. */
export type Send = <T>(ask: Ask<T>) => Promise<T>;

const callers = new WeakMap<object, string>();

/** Where a statement stands in the code. The driver keeps four frames, and those end inside this folder. */
function callerOf(text: object, below: (...args: never[]) => unknown): string {
  const known = callers.get(text);
  if (known !== undefined) return known;
  const trace: { stack?: string } = {};
  Error.captureStackTrace(trace, below);
  const frames = trace.stack?.replace(/.*/, '') ?? '';
  callers.set(text, frames);
  return frames;
}

/** They would act on the template, which never connects. Our types leave them out. */
const modifiers = [
  ...['execute', 'cancel', 'raw', 'values', 'simple', 'describe'],
  ...['cursor', 'forEach', 'readable', 'writable'],
];
const withoutModifiers = Object.fromEntries(
  modifiers.map((name) => [
    name,
    () => {
      throw new Error(`Statements of the pool do not support ${name}()`);
    },
  ]),
);

/**
 * Writes statements as the driver does, and sends each one when somebody waits for it. The driver may read a statement
 * as a part of another one, whichever of its instances made it.
 * @param template an instance of the driver that never connects: it only makes statements and parameters
 */
export function createStatements(template: postgres.Sql, send: Send): Queryable {
  function lazy(statement: object, ask: Ask, caller?: string): unknown {
    let answer: Promise<unknown> | undefined;
    const answered = () =>
      (answer ??= send(ask).catch((error: unknown) => {
        // An assignment would throw: the driver makes the stack read-only.
        if (caller !== undefined && error instanceof postgres.PostgresError)
          Object.defineProperty(error, 'stack', { value: String(error) + caller });
        throw error;
      }));
    return Object.assign(statement, withoutModifiers, {
      then: (...on: Parameters<Promise<unknown>['then']>) => answered().then(...on),
      catch: (...on: Parameters<Promise<unknown>['catch']>) => answered().catch(...on),
      finally: (...on: Parameters<Promise<unknown>['finally']>) => answered().finally(...on),
    });
  }
  function sql(first: TemplateStringsArray, ...rest: never[]): unknown {
    const made = template(first, ...rest);
    const isStatement = Array.isArray((first as { raw?: unknown } | undefined)?.raw);
    return isStatement ? lazy(made, (sql) => sql(first, ...rest), callerOf(first, sql)) : made;
  }
  return Object.assign(sql, {
    unsafe: (...args: Parameters<postgres.Sql['unsafe']>) =>
      lazy(template.unsafe(...args), (sql) => sql.unsafe(...args)),
    json: (value: postgres.JSONValue) => template.json(value),
    // Type 0: Postgres knows the type from the place of the parameter.
    array: (values: unknown) => template.typed(values, 0),
  }) as unknown as Queryable;
}

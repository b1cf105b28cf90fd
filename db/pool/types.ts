import type postgres from 'postgres';

declare const isStatement: unique symbol;

/**
 * A statement with its rows as the answer. It is sent when somebody waits for it; inside another statement it is a part
 * of that one's text. It has none of the driver's modifiers (`values()`, `cursor()` and the like).
 */
export interface Statement<Rows extends readonly (object | undefined)[] = postgres.Row[]> extends Promise<
  postgres.RowList<Rows>
> {
  readonly [isStatement]: true;
}

type Parameter = postgres.SerializableParameter | AnyStatement | readonly AnyStatement[];
type AnyStatement = Pick<Statement, typeof isStatement>;
type RowOf<Rows> = Rows extends readonly (infer Row)[] ? Row : Rows;
type Insertable<Rows> = Rows extends readonly unknown[] ? readonly Columns<RowOf<Rows>>[] : Columns<Rows>;
type Columns<Row> = { readonly [Name in keyof Row]: postgres.ParameterOrJSON<never> | undefined };

/** A pool or a transaction on it: the first parameter of every repository function. */
export interface Queryable {
  <Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    text: TemplateStringsArray,
    ...parameters: readonly Parameter[]
  ): Statement<Rows>;
  /** Column and table names, each quoted. */
  (names: string | readonly string[]): postgres.Helper<string | readonly string[]>;
  /** Rows to insert or columns to set; all of their columns, or only the named ones. */
  <Rows extends object>(
    rows: Rows & Insertable<Rows>,
    ...columns: readonly (keyof RowOf<Rows> & string)[]
  ): postgres.Helper<object>;
  /** SQL as it is given, also several statements at once where there are no parameters. */
  unsafe: <Rows extends readonly (object | undefined)[] = postgres.Row[]>(
    text: string,
    parameters?: readonly postgres.ParameterOrJSON<never>[],
  ) => Statement<Rows>;
  json: (value: postgres.JSONValue) => postgres.Parameter;
  /** An array of the type that Postgres expects at this place: a column, or a cast beside it. */
  array: (values: readonly postgres.ParameterOrJSON<never>[]) => postgres.Parameter;
}

export interface Transaction extends Queryable {
  /** A failure inside `work` undoes only what `work` did; its caller may catch the error and continue. */
  savepoint: <T>(work: (sql: Transaction) => T | Promise<T>) => Promise<T>;
}

type Begin = <T>(work: (sql: Transaction) => T | Promise<T>) => Promise<T>;
type BeginWithOptions = <T>(options: string, work: (sql: Transaction) => T | Promise<T>) => Promise<T>;

export interface Sql extends Queryable {
  /**
   * Runs `work` in a transaction. A failed statement fails the transaction, even where `work` catches the error.
   * @param options as in `begin isolation level repeatable read`: what follows `begin`
   */
  begin: Begin & BeginWithOptions;
  /** Listens on a connection of its own, and reconnects for as long as the pool lives. Rejects if the first try fails. */
  listen: (channel: string, onPayload: (payload: string) => void) => Promise<void>;
  /**
   * Accepts nothing new, answers everything asked before, and closes all connections.
   * @param options `timeout` in seconds: whatever still runs then fails
   */
  end: (options?: { timeout?: number }) => Promise<void>;
}

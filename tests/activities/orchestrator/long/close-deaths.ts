import type { Sql, Transaction } from '../../../../db/pool/types.js';

/** A process dies at a statement, and with it the transaction. */
class Death extends Error {}

/**
 * Our database, whose caller dies at its n-th statement of a try, before the statement is made.
 * @param isAtomic false: as if transactions were none
 */
export function mortal(sql: Sql, { isAtomic = true } = {}) {
  let left = Infinity;
  const wrapped = <S extends Sql | Transaction>(inner: S): S =>
    new Proxy(inner, {
      apply: (target, self, args) => {
        if (Array.isArray(args[0]) && 'raw' in args[0] && (left -= 1) < 0) throw new Death();
        const answer: unknown = Reflect.apply(target as never, self, args);
        return answer;
      },
      get: (target, name) => {
        if (name !== 'begin') return Reflect.get(target, name) as unknown;
        type Work = (inner: Transaction) => Promise<unknown>;
        return (work: Work) =>
          isAtomic
            ? (target as Sql).begin((inner) => work(wrapped(inner)))
            : work(wrapped(target as unknown as Transaction));
      },
    });
  return {
    sql: wrapped(sql),
    /** Runs a work again and again, each try dying one statement later, the last one only before its answer is heard. */
    untilDone: async <T>(work: () => Promise<T>): Promise<T> => {
      for (let statements = 0; ; statements += 1) {
        left = statements;
        try {
          await work();
          left = Infinity;
          return await work();
        } catch (error) {
          if (!(error instanceof Death)) throw error;
        } finally {
          left = Infinity;
        }
      }
    },
  };
}

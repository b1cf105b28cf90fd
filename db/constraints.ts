import postgres from 'postgres';

/** The constraint by which the database refused a write; undefined for any other failure. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError) || !error.code.startsWith('23')) return undefined;
  return error.constraint_name;
}

/**
 * Whether the database has judged a statement and said no (data, constraint, privilege, trigger), as against one that
 * an outage or a clash has kept from it: the same again will be refused again.
 */
export const isRefusedByDatabase = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^(22|23|42|P0)/.test(error.code);

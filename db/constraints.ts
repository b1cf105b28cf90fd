import postgres from 'postgres';

/** The constraint that a write violated; undefined for any other error. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError) || !error.code.startsWith('23')) return undefined;
  return error.constraint_name;
}

/** True when the database rejected a statement (data, constraint, privilege, trigger), so a retry fails again. */
export const isRefusedByDatabase = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^(22|23|42|P0)/.test(error.code);

import postgres from 'postgres';

/** The constraint by which the database refused a write; undefined for any other failure. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError) || !error.code.startsWith('23')) return undefined;
  return error.constraint_name;
}

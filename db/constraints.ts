import postgres from 'postgres';

/** The constraint by which the database refused a write; undefined for any other failure. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof postgres.PostgresError) || !error.code.startsWith('23')) return undefined;
  return error.constraint_name;
}

/** Classes of failures that pass: connections, rollbacks, locks, resources, an operator's hand, the machine. */
const passingClasses = ['08', '25', '40', '53', '55', '57', '58'];

/** Whether the database has refused a statement for good; an outage, of whatever kind, is none. */
export const isLastingRefusal = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && !passingClasses.includes(error.code.slice(0, 2));

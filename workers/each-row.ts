import { isDatabaseAway } from '../db/client.js';
import { OutboundError } from '../platform/http/outbound.js';
import { isTemporalAway } from '../starts/runs.js';

/** The next row would fail as well. */
const isOutage = (error: unknown): boolean =>
  isDatabaseAway(error) ||
  isTemporalAway(error) ||
  (error instanceof OutboundError && ['timeout', 'network'].includes(error.fault.kind));

/**
 * Does the work of a sweep for each row. A row that fails holds up no other, unless whoever is asked is away.
 * @throws the first failure, once every row had its turn; an outage at once
 */
export async function eachRow<T>(rows: readonly T[], work: (row: T) => Promise<unknown>): Promise<void> {
  const failures: unknown[] = [];
  for (const row of rows)
    await work(row).catch((error: unknown) => {
      if (isOutage(error)) throw error;
      failures.push(error);
    });
  if (failures.length > 0) throw failures[0];
}

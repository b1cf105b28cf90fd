import { randomUUID } from 'node:crypto';
import type { Sql } from '../../../db/client.js';
import { hasSubmittedSince } from '../../../db/intake/checkouts.js';
import { cancelRetry, queueRetry, recordFailedRetry } from '../../../db/intake/retry-queue.js';
import { dropLeftIntake } from '../../../db/intake/submissions.js';
import { longAgo } from './long-ago.js';

export function restOfIntake(sql: Sql): Promise<unknown>[] {
  const id = randomUUID();
  return [
    hasSubmittedSince(sql, `${id}@example.test`, longAgo),
    dropLeftIntake(sql, id),
    cancelRetry(sql, id, 'test'),
    unplaced(sql, id),
  ];
}

/** An intake whose last attempt found no patient in the EMR. */
async function unplaced(sql: Sql, submissionId: string): Promise<void> {
  await sql.begin(async (sql) => {
    // It belongs to no submission.
    await sql`set local session_replication_role = replica`;
    await queueRetry(sql, submissionId, 'test');
  });
  await recordFailedRetry(sql, { submissionId, attempts: 1, error: 'test', verdict: { status: 'failed' } });
}

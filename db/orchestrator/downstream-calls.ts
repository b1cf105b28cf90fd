import type { Queryable } from '../client.js';

/** Page 1, Other stored records: a call to another party, for what, and how it ended. */
export interface DownstreamCall {
  type: string;
  resource: string;
  method: string;
  runWorkflowId: string;
  status: number | null;
  success: boolean;
  error: string | null;
  durationMs: number;
  /** When it ended. */
  createdAt: Date;
}

export async function insertCalls(sql: Queryable, calls: readonly DownstreamCall[]): Promise<void> {
  await sql`
    insert into orchestrator.downstream_call ${sql(
      calls,
      'type',
      'resource',
      'method',
      'runWorkflowId',
      'status',
      'success',
      'error',
      'durationMs',
      'createdAt',
    )}
  `;
}

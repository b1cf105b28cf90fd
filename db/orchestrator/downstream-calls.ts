import type { Queryable } from '../client.js';

/** A call to an external service (page 1, Other stored records). */
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
    insert into orchestrator.downstream_call ${sql(calls)}
  `;
}

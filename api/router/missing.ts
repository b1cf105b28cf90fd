import { findLook, requestLook } from '../../db/router/looks.js';
import { lookForOrder } from '../../starts/router.js';
import type { ServiceContext } from '../context.js';
import { conflict } from '../http-errors.js';

const answerWithinMs = 30_000;

/**
 * Looks for an order that a person reports as missing at the pharmacy (D138). Records the report, then starts or joins
 * the workflow that asks the pharmacy.
 * @returns whether the pharmacy has the order; null while it has not answered
 * @throws HttpError 409 for an order that is not open at the pharmacy
 */
export async function lookForMissing(
  { sql, temporal }: Pick<ServiceContext, 'sql' | 'temporal'>,
  submissionId: string,
): Promise<boolean | null> {
  const deadline = Date.now() + answerWithinMs;
  if (!(await sql.begin((sql) => requestLook(sql, submissionId))))
    throw conflict('The order is not open at the pharmacy');
  for (;;) {
    const look = await lookForOrder(temporal, submissionId, Math.max(0, deadline - Date.now()));
    const found = await findLook(sql, submissionId);
    if (found !== null || look.state !== 'completed' || look.result === 'unanswered') return found;
    // The workflow was completing and belonged to an earlier report, so start another.
  }
}

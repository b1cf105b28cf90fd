import type { Pharmacy } from '../../domain/pharmacies.js';
import {
  type AcceptedAnswer,
  acceptedAnswer,
  type FailedResult,
  judgeRepeat,
} from '../../domain/router/submission.js';
import type { Queryable, Sql } from '../client.js';
import { findRoute } from './routes.js';
import {
  dropPayload,
  insertSubmission,
  lockSubmission,
  reopenSubmission,
  type SubmissionClaim,
  type SubmissionState,
} from './submissions.js';

export interface ClaimRequest extends SubmissionClaim {
  /** Bypasses the routing table (page 1, Pharmacy resolution rules; D22). */
  preferredPharmacy: Pharmacy | null;
  /**
   * The claim that this one continues: its first try ran in the request, and a workflow took over (D113). Often its
   * own id.
   */
  takesOver?: string;
}

/** Either this request places the submission, or its end is known. */
export type Claimed =
  | { pharmacy: Pharmacy; try: number }
  | { recorded: AcceptedAnswer }
  /** The end of the claim that is taken over, so that all callers get the same answer. */
  | { ended: FailedResult; pharmacy: Pharmacy };

/** Why a request cannot use an order reference; nothing changes then. */
export type ClaimRefusal = 'noRoute' | 'differentPayload' | 'unknownOutcome';

type Verdict = Claimed | { refused: ClaimRefusal };

/**
 * Chooses the pharmacy and claims the order reference, a new one or one of a failed submission (D21). A repeat returns
 * the existing claim.
 * @param by a workflow, or the service that handles the request (D113)
 * @throws a violation of `submission_pkey` when another request claims it at the same time
 */
export async function claimSubmission(
  sql: Sql,
  request: ClaimRequest,
  by: 'run' | 'service',
): Promise<Verdict> {
  // Almost every reference is new.
  const claim = { ...request, withoutRun: by === 'service' };
  const pharmacy = await insertSubmission(sql, claim);
  if (pharmacy !== undefined) return { pharmacy, try: 1 };
  return sql.begin((sql) => claimAgain(sql, claim));
}

async function claimAgain(sql: Queryable, claim: OpenSubmission): Promise<Verdict> {
  const held = await lockSubmission(sql, claim.submissionId);
  if (!held) {
    if ((await chooseRoute(sql, claim)) === undefined) return { refused: 'noRoute' };
    throw new Error('The body of the request is gone');
  }
  const { pharmacy } = held;
  if (held.claimId === claim.claimId && held.outcome === null) {
    if (held.withoutRun && !claim.withoutRun)
      await sql`update router.submission set without_run = false where id = ${held.id}`;
    return { pharmacy, try: held.try };
  }
  if (held.claimId === claim.takesOver && held.outcome !== null && held.outcome !== 'accepted') {
    await dropPayload(sql, claim.claimId);
    return { ended: await endOf(sql, held), pharmacy };
  }
  // A recorded failure of this claim is no reason for another try: `placePharmacyOrder` returns it.
  if (held.claimId === claim.claimId && held.outcome !== 'accepted') return { pharmacy, try: held.try };
  const verdict = judgeRepeat(held, claim.payloadHash);
  switch (verdict) {
    case 'replay':
      await dropPayload(sql, claim.claimId);
      return { recorded: acceptedAnswer(held) };
    case 'differentPayload':
    case 'unknownOutcome':
      return { refused: verdict };
    case 'sameTry':
      // The order may exist at this pharmacy, so keep it even if the routes have changed.
      await reopenSubmission(sql, claim, pharmacy, verdict);
      return { pharmacy, try: held.try };
    case 'nextTry': {
      const chosen = await chooseRoute(sql, claim);
      if (chosen === undefined) return { refused: 'noRoute' };
      await reopenSubmission(sql, claim, chosen, verdict);
      return { pharmacy: chosen, try: held.try + 1 };
    }
  }
}

const chooseRoute = async (
  sql: Queryable,
  { preferredPharmacy, patientState }: ClaimRequest,
): Promise<Pharmacy | undefined> => preferredPharmacy ?? (await findRoute(sql, patientState));

async function endOf(sql: Queryable, { id }: SubmissionState): Promise<FailedResult> {
  const [end] = await sql<[FailedResult]>`
    select outcome, error_message as error, response_payload as response from router.submission where id = ${id}
  `;
  return end;
}

/** A submission that a pharmacy has not answered yet. */
export type OpenSubmission = ClaimRequest & { withoutRun: boolean };

/**
 * Submissions open for longer than `olderThanSeconds`, oldest first: their workflows may be gone or never started
 * (D113).
 */
export const listOpenSubmissions = (sql: Queryable, olderThanSeconds: number) =>
  sql<OpenSubmission[]>`
    select id as submission_id, claim_id, api_key_id, source, source_order_id, callback_url, patient_state,
      medication_name, is_test, payload_hash, without_run, null as preferred_pharmacy
    from router.submission
    where outcome is null and updated_at < now() - ${olderThanSeconds} * interval '1 second'
    order by updated_at
    limit 100
  `;

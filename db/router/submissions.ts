import type { Pharmacy } from '../../domain/pharmacies.js';
import type { InitialCallback } from '../../domain/router/callbacks.js';
import {
  orderedMedication,
  type PharmacyCall,
  type PharmacyResult,
  type SubmissionOutcome,
} from '../../domain/router/submission.js';
import type { AccessEvent } from '../../domain/access-events.js';
import { noted } from '../access/access-events.js';
import { first, type Queryable, type Sql } from '../client.js';
import { closeWorkItem } from '../work-items.js';
import { type Catalogs, findArticle } from './articles.js';
import { queueCallback } from './callbacks.js';
import { noteProgress } from './cancellations.js';
import { currentOutcome, signalLook, unknownOrderFact } from './looks.js';
import { routeOf } from './routes.js';

/** The state that decides how a repeat is handled (D21). */
export interface SubmissionState {
  id: string;
  pharmacy: Pharmacy;
  payloadHash: string;
  claimId: string;
  try: number;
  outcome: SubmissionOutcome | null;
  pharmacyOrderId: string | null;
  /** The request handler has claimed it, and no workflow has taken over (D113). */
  withoutRun: boolean;
}

export const findSubmissionState = (sql: Queryable, id: string) =>
  first(sql<SubmissionState[]>`
    select ${stateColumns(sql)} from router.submission where id = ${id}
  `);

/** Like {@link findSubmissionState}, locked until the transaction ends. */
export const lockSubmission = (sql: Queryable, id: string) =>
  first(sql<SubmissionState[]>`
    select ${stateColumns(sql)} from router.submission where id = ${id} for update
  `);

const stateColumns = (sql: Queryable) =>
  sql`
    id, pharmacy, payload_hash, claim_id, try, ${currentOutcome(sql)} as outcome, pharmacy_order_id, without_run
  `;

/**
 * Stores the body of a request until {@link insertSubmission} or {@link reopenSubmission} takes it, and records the
 * access. A run gets only the claim's id: a signature image may exceed Temporal's 2 MiB, and every replay reads the
 * history.
 */
export async function keepPayload(
  sql: Queryable,
  { claimId, submissionId }: { claimId: string; submissionId: string },
  body: string,
  access?: AccessEvent,
): Promise<void> {
  await sql`
    ${access ? sql`with ${noted(sql, access)}` : sql``}
    insert into router.received_payload (claim_id, submission_id, body)
    values (${claimId}, ${submissionId}, ${body})
  `;
}

/** Bodies that no workflow took within an hour, mostly of aborted requests. */
export const listLeftPayloads = (sql: Queryable) =>
  sql<{ claimId: string; submissionId: string | null }[]>`
    select claim_id, submission_id
    from router.received_payload
    where received_at < now() - interval '1 hour'
    limit 100
  `;

export async function dropPayload(sql: Queryable, claimId: string): Promise<void> {
  await sql`delete from router.received_payload where claim_id = ${claimId}`;
}

/** A claim on an order reference. Its body is stored under `claimId`. */
export interface SubmissionClaim {
  submissionId: string;
  claimId: string;
  apiKeyId: string;
  source: string;
  sourceOrderId: string;
  callbackUrl: string;
  /** Upper case. */
  patientState: string;
  medicationName: string;
  isTest: boolean;
  payloadHash: string;
  /** The request handler places the order (D113). */
  withoutRun?: boolean;
}

/**
 * Claims a new order reference, with the pharmacy that the caller prefers or that the routes give.
 * @returns undefined, with nothing changed, when the reference exists, no route does, or the body is gone
 * @throws a violation of `submission_pkey` when another request inserts it at the same time
 */
export async function insertSubmission(
  sql: Queryable,
  claim: SubmissionClaim & { preferredPharmacy: Pharmacy | null },
): Promise<Pharmacy | undefined> {
  const inserted = await first(sql<{ pharmacy: Pharmacy }[]>`
    with chosen as (
      select coalesce(${claim.preferredPharmacy}, (${routeOf(sql, claim.patientState)})) as pharmacy
      where not exists (select from router.submission where id = ${claim.submissionId})
    ), payload as (
      delete from router.received_payload
      where claim_id = ${claim.claimId} and (select pharmacy from chosen) is not null
      returning body
    )
    insert into router.submission (
      id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy, is_test,
      payload_hash, claim_id, without_run, status, request_payload
    )
    select ${claim.submissionId}, ${claim.apiKeyId}, ${claim.source}, ${claim.sourceOrderId}, ${claim.callbackUrl},
      ${claim.patientState}, ${claim.medicationName}, pharmacy, ${claim.isTest}, ${claim.payloadHash},
      ${claim.claimId}, ${claim.withoutRun ?? false}, 'processing', body
    from payload, chosen
    returning pharmacy
  `);
  return inserted?.pharmacy;
}

/**
 * Claims a failed submission for another try, with the same pharmacy and key or with a new key.
 * @throws when the body is gone, unless the submission already has it
 */
export async function reopenSubmission(
  sql: Queryable,
  claim: SubmissionClaim,
  pharmacy: Pharmacy,
  verdict: 'sameTry' | 'nextTry',
): Promise<void> {
  const isNext = verdict === 'nextTry';
  const { count } = await sql`
    with payload as (
      delete from router.received_payload where claim_id = ${claim.claimId} returning body
    )
    update router.submission set
      callback_url = ${claim.callbackUrl}, patient_state = ${claim.patientState},
      medication_name = ${claim.medicationName}, pharmacy = ${pharmacy}, is_test = ${claim.isTest},
      payload_hash = ${claim.payloadHash}, claim_id = ${claim.claimId},
      without_run = ${claim.withoutRun ?? false},
      request_payload = coalesce((select body from payload), request_payload),
      try = try + ${isNext ? 1 : 0}, calls = case when ${isNext} then 0 else calls end,
      article = case when ${isNext} then null else article end,
      outcome = null, unknown_since = null, status = 'processing', error_message = null, response_payload = null,
      pharmacy_order_id = null, tracking_number = null, carrier = null, parcels = '[]',
      shipped_at = null, delivered_at = null,
      submitted_at = now(), updated_at = now()
    where id = ${claim.submissionId}
      and (exists (select from payload) or payload_hash = ${claim.payloadHash})
  `;
  if (count === 0) throw new Error('The body of the request is gone');
  // A request to cancel the order that does not exist must not cancel the next one.
  if (isNext) await noteProgress(sql, claim.submissionId, 'failed');
}

/**
 * Counts a call before it is made. The first call of a try fixes its article, so that all of them order the same.
 * @returns undefined when another request holds the submission, or it has an outcome
 */
export async function beginPharmacyCall(
  sql: Queryable,
  catalogs: Catalogs,
  { submissionId, claimId }: { submissionId: string; claimId: string },
): Promise<PharmacyCall | undefined> {
  const [begun] = await sql<
    (Omit<PharmacyCall, 'choice'> & { medicationName: string; article: string | null })[]
  >`
    update router.submission set calls = calls + 1
    where id = ${submissionId} and claim_id = ${claimId} and outcome is null
    returning pharmacy, is_test, request_payload, try, calls, medication_name, article
  `;
  if (!begun) return undefined;
  const { medicationName: _, article: fixed, ...call } = begun;
  if (fixed !== null) return { ...call, choice: { article: fixed } };
  const choice =
    (await findArticle(sql, catalogs, call.pharmacy, orderedMedication(begun))) ??
    catalogs[call.pharmacy].catalog.unknown;
  if ('rejection' in choice) return { ...call, choice };
  const [{ article }] = await sql<[{ article: string }]>`
    update router.submission set article = coalesce(article, ${choice.article}) where id = ${submissionId}
    returning article
  `;
  return { ...call, choice: { article } };
}

interface RecordedResult {
  pharmacy: Pharmacy;
  result: PharmacyResult;
}

/** @returns undefined while the call is open, or when another request holds the submission */
export async function findRecordedResult(
  sql: Queryable,
  { submissionId, claimId }: { submissionId: string; claimId: string },
): Promise<RecordedResult | undefined> {
  const [row] = await sql<
    {
      pharmacy: Pharmacy;
      outcome: SubmissionOutcome;
      pharmacyOrderId: string | null;
      errorMessage: string | null;
      responsePayload: string | null;
    }[]
  >`
    select pharmacy, outcome, pharmacy_order_id, error_message, response_payload
    from router.submission
    where id = ${submissionId} and claim_id = ${claimId} and outcome is not null
  `;
  if (!row) return undefined;
  const { pharmacy, outcome, pharmacyOrderId, errorMessage, responsePayload: response } = row;
  if (pharmacyOrderId !== null)
    return { pharmacy, result: { outcome: 'accepted', pharmacyOrderId, response: response ?? '' } };
  const failed = outcome === 'rejected' ? outcome : 'unanswered';
  return { pharmacy, result: { outcome: failed, error: errorMessage ?? '', response } };
}

/**
 * Records the outcome of a submission and queues its initial callback, unless the client turned that off (D103).
 * Without an answer from the pharmacy, starts the search for the order (D114). Idempotent.
 * @returns whether this call recorded the outcome
 */
export async function settleSubmission(
  sql: Sql,
  { submissionId, claimId }: { submissionId: string; claimId: string },
  result: PharmacyResult,
): Promise<boolean> {
  const { outcome, response } = result;
  const pharmacyOrderId = outcome === 'accepted' ? result.pharmacyOrderId : null;
  const error = outcome === 'accepted' ? null : result.error;
  const status = outcome === 'accepted' ? 'submitted' : 'failed';
  return sql.begin(async (sql) => {
    const [settled] = await sql<
      { sourceOrderId: string; pharmacy: Pharmacy; initialCallback: boolean | null }[]
    >`
      update router.submission set
        outcome = ${outcome}, status = ${status}, pharmacy_order_id = ${pharmacyOrderId},
        error_message = ${error}, response_payload = ${response}, updated_at = now(), heard_at = now(),
        accepted_at = case when ${outcome} = 'accepted' then now() end,
        unknown_since = ${outcome === 'unanswered' ? sql`now()` : null}
      where id = ${submissionId} and claim_id = ${claimId} and outcome is null
      returning source_order_id, pharmacy,
        (select initial_callback from access.api_key where id = submission.api_key_id) as initial_callback
    `;
    if (!settled) return false;
    const { initialCallback, ...order } = settled;
    if (initialCallback !== false) {
      const payload: InitialCallback = { submissionId, ...order, status, pharmacyOrderId, error };
      await queueCallback(sql, { submissionId, kind: 'initial', payload });
    }
    if (outcome !== 'unanswered') {
      await closeWorkItem(sql, 'router', unknownOrderFact(submissionId));
      return true;
    }
    await signalLook(sql, submissionId);
    return true;
  });
}

export const readOrder = (sql: Queryable, submissionId: string) =>
  first(sql<
    {
      pharmacy: Pharmacy;
      medicationName: string;
      source: string;
      sourceOrderId: string;
      requestPayload: string;
    }[]
  >`
    select pharmacy, medication_name, source, source_order_id, request_payload from router.submission where id = ${submissionId}
  `);

import type { Pharmacy } from '../../domain/pharmacies.js';
import type { Parcel } from '../../domain/router/order-updates.js';
import type { SubmissionOutcome, SubmissionStatus } from '../../domain/router/submission.js';
import type { Queryable } from '../client.js';

/** A submission as its client sees it (page 1, Submission record). Payloads are unchanged. */
export interface SubmissionRecord {
  id: string;
  apiKeyId: string;
  source: string;
  sourceOrderId: string;
  callbackUrl: string;
  patientState: string;
  medicationName: string;
  pharmacy: Pharmacy;
  pharmacyOrderId: string | null;
  status: SubmissionStatus;
  /** Not shown; null until the pharmacy's answer is known. */
  outcome: SubmissionOutcome | null;
  trackingNumber: string | null;
  carrier: string | null;
  parcels: Parcel[];
  errorMessage: string | null;
  requestPayload: string;
  responsePayload: string | null;
  submittedAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

/** @returns `foreign` when it belongs to another client; undefined for an unknown id */
export async function readSubmission(
  sql: Queryable,
  { id, apiKeyId }: { id: string; apiKeyId: string },
): Promise<SubmissionRecord | 'foreign' | undefined> {
  const [record] = await sql<SubmissionRecord[]>`
    select id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy,
      pharmacy_order_id, status, tracking_number, carrier, parcels, error_message, request_payload, response_payload,
      submitted_at, created_at, updated_at, outcome
    from router.submission
    where id = ${id} and api_key_id = ${apiKeyId}
  `;
  if (record) return record;
  const [foreign] = await sql`select 1 from router.submission where id = ${id}`;
  return foreign ? 'foreign' : undefined;
}

/** Omits the payloads, which may be megabytes each. */
export type SubmissionEntry = Omit<SubmissionRecord, 'requestPayload' | 'responsePayload' | 'outcome'>;

export interface SubmissionFilter {
  apiKeyId: string;
  status?: SubmissionStatus | undefined;
  pharmacy?: Pharmacy | undefined;
  sourceOrderId?: string | undefined;
  submittedFrom?: Date | undefined;
  submittedTo?: Date | undefined;
  /** The id of the last entry on the previous page. */
  after?: string | undefined;
  limit: number;
}

/** A client's submissions, newest first; those of a period by when they were submitted. */
export async function listSubmissions(sql: Queryable, filter: SubmissionFilter): Promise<SubmissionEntry[]> {
  const { apiKeyId, status, pharmacy, sourceOrderId, submittedFrom, submittedTo, after, limit } = filter;
  const at = submittedFrom || submittedTo ? sql`submitted_at` : sql`created_at`;
  return sql<SubmissionEntry[]>`
    select id, api_key_id, source, source_order_id, callback_url, patient_state, medication_name, pharmacy,
      pharmacy_order_id, status, tracking_number, carrier, parcels, error_message, submitted_at, created_at, updated_at
    from router.submission
    where api_key_id = ${apiKeyId}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
      ${pharmacy === undefined ? sql`` : sql`and pharmacy = ${pharmacy}`}
      ${sourceOrderId === undefined ? sql`` : sql`and source_order_id = ${sourceOrderId}`}
      ${submittedFrom === undefined ? sql`` : sql`and submitted_at >= ${submittedFrom}`}
      ${submittedTo === undefined ? sql`` : sql`and submitted_at < ${submittedTo}`}
      ${
        after === undefined
          ? sql``
          : sql`and (${at}, id) < (
              select ${at}, id from router.submission where id = ${after} and api_key_id = ${apiKeyId}
            )`
      }
    order by ${at} desc, id desc
    limit ${limit}
  `;
}

import type { IntakeType, SubmissionStatus } from '../../domain/intake/intake.js';
import { first, type Queryable, type Sql } from '../client.js';
import { publishContact } from './contacts.js';
import { noteIncomplete } from './incomplete-patients.js';
import { queueRetry } from './retry-queue.js';
import { openMismatch } from './work-items.js';

/** A received intake, with the plan of its token. */
export interface ReceivedIntake {
  submissionId: string;
  /** The bytes as received. */
  body: string;
  bodyHash: string;
  plan: string;
  planAmountCents: number;
  /** The caller has proven the mailbox (D86). */
  emailProven?: boolean;
}

/**
 * Stores an intake until {@link storeSubmission} takes it.
 * @returns the hash of the body stored under this id; it differs when the id was used before
 */
export async function keepIntake(sql: Queryable, received: ReceivedIntake): Promise<string> {
  const [kept] = await sql<{ bodyHash: string }[]>`
    insert into intake.received_submission ${sql({ ...received })}
    on conflict (submission_id) do update set received_at = now()
    returning body_hash
  `;
  if (!kept) throw new Error('The intake was not kept');
  return kept.bodyHash;
}

export async function dropIntake(sql: Queryable, submissionId: string): Promise<void> {
  await sql`delete from intake.received_submission where submission_id = ${submissionId}`;
}

/** Also deletes the notes about its address. @returns false when it was taken or received again meanwhile */
export async function dropLeftIntake(sql: Queryable, submissionId: string): Promise<boolean> {
  const dropped = await sql`
    with dropped as (
      delete from intake.received_submission where submission_id = ${submissionId} and ${isLeft(sql)}
      returning submission_id
    ), unnoted as (
      delete from intake.own_patient using dropped where own_patient.submission_id = dropped.submission_id
    )
    select from dropped
  `;
  return dropped.length === 1;
}

const isLeft = (sql: Queryable) => sql`received_at < now() - interval '1 hour'`;

/** Intakes that no workflow took within an hour, mostly of aborted requests. */
export async function listLeftIntakes(sql: Queryable): Promise<string[]> {
  const rows = await sql<{ submissionId: string }[]>`
    select submission_id
    from intake.received_submission
    where ${isLeft(sql)}
    limit 100
  `;
  return rows.map(({ submissionId }) => submissionId);
}

export const findReceivedIntake = (sql: Queryable, submissionId: string) =>
  first(sql<ReceivedIntake[]>`
    select submission_id, body, body_hash, plan, plan_amount_cents, email_proven
    from intake.received_submission
    where submission_id = ${submissionId}
  `);

/** The body of an intake, before or after it was stored. */
export async function findIntakeBody(sql: Queryable, submissionId: string): Promise<string | undefined> {
  const [row] = await sql<{ body: string }[]>`
    select body from intake.submission where id = ${submissionId}
    union all
    select body from intake.received_submission where submission_id = ${submissionId}
    limit 1
  `;
  return row?.body;
}

export async function findStoredHash(sql: Queryable, submissionId: string): Promise<string | undefined> {
  const [row] = await sql<{ bodyHash: string }[]>`
    select body_hash from intake.submission where id = ${submissionId}
  `;
  return row?.bodyHash;
}

export type NewSubmission = Pick<SubmissionRecord, 'firstName' | 'lastName' | 'email' | 'intakeType'> & {
  phone: string;
  /** Upper case. */
  state: string;
  couponCode: string | null;
};

/**
 * Turns an intake into a submission: `submitted` with its patient, or `pending_emr` with a retry queue entry.
 * Idempotent.
 * @param patient the EMR's id, or why there is none
 */
export async function storeSubmission(
  sql: Sql,
  received: ReceivedIntake,
  submission: NewSubmission,
  patient: { emrPatientId: string } | { error: string },
): Promise<void> {
  const { submissionId, body, bodyHash, plan, planAmountCents, emailProven = false } = received;
  const { firstName, lastName, email, phone, state, intakeType, couponCode } = submission;
  const emrPatientId = 'emrPatientId' in patient ? patient.emrPatientId : null;
  const status: SubmissionStatus = emrPatientId === null ? 'pending_emr' : 'submitted';
  await sql.begin(async (sql) => {
    const { count } = await sql`
      insert into intake.submission (
        id, first_name, last_name, email, phone, state, intake_type, emr_patient_id, status, body, data, body_hash,
        plan, plan_amount_cents, coupon_code, email_proven
      )
      values (
        ${submissionId}, ${firstName}, ${lastName}, ${email}, ${phone}, ${state}, ${intakeType}, ${emrPatientId},
        ${status}, ${body}, ${body}::text::json, ${bodyHash}, ${plan}, ${planAmountCents}, ${couponCode},
        ${emailProven}
      )
      on conflict (id) do nothing
    `;
    if (count === 1) {
      if ('error' in patient) await queueRetry(sql, submissionId, patient.error);
      else {
        const placed = { submissionId, emrPatientId: patient.emrPatientId };
        await openMismatch(sql, placed);
        await noteIncomplete(sql, placed, body);
      }
      await publishContact(sql, submissionId);
    }
    await dropIntake(sql, submissionId);
  });
}

/** See page 2, Stored submission. */
export interface SubmissionRecord {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  state: string | null;
  intakeType: IntakeType;
  emrPatientId: string | null;
  status: SubmissionStatus;
  data: unknown;
  createdAt: Date;
}

export const readSubmission = (sql: Queryable, id: string) =>
  first(sql<SubmissionRecord[]>`
    select id, first_name, last_name, email, phone, state, intake_type, emr_patient_id, status, data, created_at
    from intake.submission
    where id = ${id}
  `);

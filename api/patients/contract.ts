import { z } from 'zod';
import { isMrn } from '../../domain/patients/mrn.js';
import { lookupStatuses, type PatientRow } from '../../domain/patients/patient-directory.js';
import { phoneDigits } from '../../domain/phone-number.js';
import { erasureStates } from '../../domain/retention/erasures.js';
import { nextCursor } from '../cursor.js';
import { idempotencyHeaders } from '../idempotency.js';
import { instant, timestamp } from '../instant.js';
import { codedErrors } from '../http-errors.js';
import { emailAddress, reference, text, twoLetters, uuid } from '../../platform/http/text.js';

/** A string as FHIR allows it: no control characters, and not blank. */
const line = (maxCharacters: number) =>
  text(maxCharacters)
    .refine((value) => !/\p{Cc}/u.test(value) && /\S/.test(value), 'must be printable and not blank')
    .meta({ pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$' });
const emrPatientId = text(64, 'must be a FHIR id')
  .regex(/^[A-Za-z0-9.-]{1,64}$/, 'must be a FHIR id')
  .describe('A FHIR id');
/** Rows of the directory pass through workflows, so their times are text. */
const isoTimestamp = z.iso.datetime();

export const intake = z
  .object({
    intakeType: reference.describe('`glp-1`, `nad`, `microdose`, or a type of the organization'),
    submittedAt: instant.describe('When the client submitted the intake'),
    payload: z.record(z.string(), z.unknown()).describe('Stored byte for byte and never changed'),
  })
  .meta({ id: 'PatientIntake' });

/** An extension may follow, which the EMR is not given (D149). */
const phone = text(40, 'must have at least 10 digits')
  .refine((value) => phoneDigits(value).length >= 10, 'must have at least 10 digits')
  .meta({ pattern: '^([^0-9]*[0-9]){10}' });

/** Sent to the EMR and not stored here (D75). */
const demographics = z.object({
  firstName: line(200),
  lastName: line(200),
  dob: text(10)
    .check(z.iso.date())
    .refine((day) => day >= '1850-01-01', 'must be the birthday of a living person')
    .describe('Calendar date, YYYY-MM-DD'),
  gender: z.enum(['male', 'female', 'other', 'unknown']),
  phone,
  address: z.object({
    line1: line(200),
    line2: line(200).or(z.literal('')).optional(),
    city: line(200),
    state: twoLetters.transform((code) => code.toUpperCase()),
    zip: line(10).min(5),
  }),
});

const identifiers = {
  payment_customer_id: reference.optional(),
  identity_provider_id: reference.optional(),
  legacy_mrn: reference.optional(),
};
export const newPatient = z
  .object({
    organizationId: uuid.toLowerCase(),
    contactEmail: emailAddress,
    demographics,
    intake,
    identifiers: z.object(identifiers).optional(),
  })
  .meta({ id: 'NewPatient' });
export type NewPatientBody = z.infer<typeof newPatient>;

export const createHeaders = idempotencyHeaders(
  "The caller's own key for this patient. A repeated request creates no second patient.",
);

/** Identifiers are filled once. An unknown field is an error (page 3, PATCH rules). */
export const backfill = z
  .strictObject({
    emr_patient_id: emrPatientId.optional(),
    ...identifiers,
    email_lower: emailAddress.toLowerCase().optional(),
  })
  .meta({ id: 'Backfill' });

export const patientParams = z.object({ id: z.string() });
const nullable = z.string().nullable();
const patient = z
  .object({
    id: z.uuid(),
    mrn: z.string().refine(isMrn).describe('10 characters of Crockford base 32'),
    organization_id: z.uuid(),
    emr_patient_id: nullable,
    payment_customer_id: nullable,
    identity_provider_id: nullable,
    legacy_mrn: nullable,
    email_lower: nullable,
    created_at: isoTimestamp,
    updated_at: isoTimestamp,
    archived_at: isoTimestamp.nullable(),
  })
  .meta({ id: 'DirectoryPatient' }) satisfies z.ZodType<PatientRow>;
export const onePatient = z.object({ patient });

export const emailLookup = z.object({ organizationId: uuid.toLowerCase(), email: emailAddress });
export const emailMatch = z
  .object({
    exists: z.boolean(),
    in_your_org: z.boolean(),
    status: z.enum(lookupStatuses).describe('Never says which other organization has the e-mail'),
  })
  .meta({ id: 'EmailMatch' });

const snapshot = z
  .object({
    id: z.uuid(),
    patient_id: z.uuid(),
    organization_id: z.uuid(),
    intake_type: z.string(),
    submitted_at: timestamp,
    payload: z.unknown().describe('The payload as received'),
    payload_hash: z.string().describe('SHA-256 of the received bytes, in hex'),
    source_ip: z.string(),
    user_agent: z.string().nullable(),
    created_at: timestamp,
    erasedAt: timestamp.optional().describe('Present after an erasure, which overwrites the payload'),
  })
  .meta({ id: 'IntakeSnapshot' });
export const oneSnapshot = z.object({ snapshot });
export const snapshotList = z.object({
  snapshots: z.array(snapshot).describe('Newest first'),
  nextCursor,
});

const erasure = z.object({ id: z.uuid(), state: z.enum(erasureStates) });
export const startedErasure = z.object({ erasure: erasure.meta({ id: 'ErasureBegun' }) });
export const oneErasure = z.object({
  erasure: erasure
    .extend({
      patientId: z.uuid(),
      requestedAt: timestamp,
      completedAt: timestamp.nullable(),
      details: z
        .string()
        .describe('The parts that Scriptrail overwrites, and the external services that it does not change'),
    })
    .meta({ id: 'Erasure' }),
});

const orphan = z
  .object({
    id: z.uuid(),
    emr_patient_id: z.string(),
    mrn: z.string(),
    organization_id: z.uuid(),
    reason: z.string(),
    created_at: timestamp,
    settled_at: timestamp.nullable(),
    settled_by: z.string().nullable().describe('The admin; null if a later create used the EMR patient'),
  })
  .meta({ id: 'OrphanEntry' });
export const oneOrphan = z.object({ orphan });
export const orphanList = z.object({ orphans: z.array(orphan), nextCursor });

/** Errors of every route for admins. */
export const errors = codedErrors(401, 403, 429);
/** For routes that every admin may call, or every member, who see nothing of other organizations. */
export const readingErrors = codedErrors(401, 404, 429);
export const bodyErrors = codedErrors(400, 401, 403, 413, 415, 429);

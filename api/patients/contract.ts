import { z } from 'zod';
import { isMrn } from '../../domain/patients/mrn.js';
import { lookupStatuses, type PatientRow } from '../../domain/patients/patient-directory.js';
import { phoneDigits } from '../../domain/phone-number.js';
import { erasureStates } from '../../domain/retention/erasures.js';
import { emailAddress } from '../../platform/email-address.js';
import { idempotencyHeaders } from '../idempotency.js';
import { codedErrors } from '../http-errors.js';
import { reference, text, twoLetters, uuid } from '../../platform/http/text.js';

/** What FHIR takes for a text of a person: no control characters, and not blank. */
const line = (maxCharacters: number) =>
  text(maxCharacters)
    .refine((value) => !/\p{Cc}/u.test(value) && /\S/.test(value), 'must be printable and not blank')
    .meta({ pattern: '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$' });
const emrPatientId = text(64, 'must be a FHIR id')
  .regex(/^[A-Za-z0-9.-]{1,64}$/, 'must be a FHIR id')
  .describe('A FHIR id');
const isoTimestamp = z.iso.datetime();

/** What both the database and the wire can write: four-digit years. */
const submittedAt = text(64)
  .check(z.iso.datetime({ offset: true }))
  .refine((value) => {
    const year = new Date(value).getUTCFullYear();
    return year >= 1 && year <= 9999;
  }, 'must lie in the years 1 to 9999')
  .describe('When the client submitted it');

export const intake = z
  .object({
    intakeType: reference.describe('`glp-1`, `nad`, `microdose`, or a type of the organization'),
    submittedAt,
    payload: z
      .record(z.string(), z.unknown())
      .describe('Kept byte for byte as it stands in the body; never changed'),
  })
  .meta({ id: 'PatientIntake' });

/** An extension may follow, which the EMR is not given (D149). */
const phone = text(40, 'must have at least 10 digits')
  .refine((value) => phoneDigits(value).length >= 10, 'must have at least 10 digits')
  .meta({ pattern: '^([^0-9]*[0-9]){10}' });

/** D75. Sent on to the EMR, and stored nowhere here. */
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

export const newPatient = z
  .object({
    organizationId: uuid.toLowerCase(),
    contactEmail: emailAddress,
    demographics,
    intake,
    identifiers: z
      .object({
        payment_customer_id: reference.optional(),
        identity_provider_id: reference.optional(),
        legacy_mrn: reference.optional(),
      })
      .optional(),
  })
  .meta({ id: 'NewPatient' });
export type NewPatientBody = z.infer<typeof newPatient>;

export const createHeaders = idempotencyHeaders(
  "The caller's own key for this patient: repeating the request makes no second one",
);

/** Identifiers are filled once; anything else in the body is refused, not ignored (page 3, PATCH rules). */
export const backfill = z
  .strictObject({
    emr_patient_id: emrPatientId.optional(),
    payment_customer_id: reference.optional(),
    identity_provider_id: reference.optional(),
    legacy_mrn: reference.optional(),
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

export const snapshot = z
  .object({
    id: z.uuid(),
    patient_id: z.uuid(),
    organization_id: z.uuid(),
    intake_type: z.string(),
    submitted_at: isoTimestamp,
    payload: z.unknown().describe('As it was handed in'),
    payload_hash: z.string().describe('SHA-256 of the bytes handed in, in hex'),
    source_ip: z.string(),
    user_agent: z.string().nullable(),
    created_at: isoTimestamp,
    erasedAt: isoTimestamp.optional().describe('Present where the payload was overwritten with its patient'),
  })
  .meta({ id: 'IntakeSnapshot' });
export const oneSnapshot = z.object({ snapshot });
export const snapshotList = z.object({
  snapshots: z.array(snapshot).describe('Newest first'),
  nextCursor: z.string().nullable().describe('For the next page; null at the end'),
});

const erasure = z.object({ id: z.uuid(), state: z.enum(erasureStates) });
export const erasureBegun = z.object({ erasure: erasure.meta({ id: 'ErasureBegun' }) });
export const oneErasure = z.object({
  erasure: erasure
    .extend({
      patientId: z.uuid(),
      requestedAt: isoTimestamp,
      completedAt: isoTimestamp.nullable(),
      details: z.string().describe('What is overwritten, and who outside is not touched'),
    })
    .meta({ id: 'Erasure' }),
});

export const orphan = z
  .object({
    id: z.uuid(),
    emr_patient_id: z.string(),
    mrn: z.string(),
    organization_id: z.uuid(),
    reason: z.string(),
    created_at: isoTimestamp,
    settled_at: isoTimestamp.nullable(),
    settled_by: z.string().nullable().describe('The admin; null where a later create took the EMR patient'),
  })
  .meta({ id: 'OrphanEntry' });
export const oneOrphan = z.object({ orphan });
export const orphanList = z.object({
  orphans: z.array(orphan),
  nextCursor: z.string().nullable().describe('For the next page; null at the end'),
});

/** What any route for admins may answer. */
export const refusals = codedErrors(401, 403, 429);
/** And one that takes a body. */
export const withBody = codedErrors(400, 401, 403, 413, 415, 429);

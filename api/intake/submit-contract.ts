import { z } from 'zod';
import {
  birthDateOf,
  type Intake,
  intakeTypes,
  retryStatuses,
  stateOf,
  submissionStatuses,
} from '../../domain/intake/intake.js';
import { pageQuery } from '../cursor.js';

const text = z.string().min(1);

/** 1-200 printable characters (D6). */
export const submitHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1-200 printable characters')
    .optional()
    .describe('The same key and body again: the same answer, and nothing is stored twice (D62)'),
});

/** Page 2, Intake submission. Unknown fields are ignored here and kept in `data` (D7). */
export const intake = z
  .object({
    firstName: text,
    lastName: text,
    dob: z
      .string()
      .refine((dob) => birthDateOf(dob) !== undefined, 'must be a calendar date, MM-DD-YYYY')
      .describe('`MM-DD-YYYY`; 18 years or older'),
    gender: z.enum(['male', 'female', 'other']).optional(),
    email: z.email().max(254).describe('Finds the patient in the EMR, in whatever case'),
    phone: z.string().min(10),
    state: z
      .string()
      .refine((code) => stateOf(code) !== undefined, 'must be the two-letter code of a state or DC')
      .describe('Two-letter code, in either case; decides availability'),
    address: z.object({
      line1: text,
      line2: z.string().optional(),
      city: text,
      state: z.string().regex(/^[A-Za-z]{2}$/, 'must be a two-letter code'),
      zip: z.string().min(5).max(10),
    }),
    intakeType: z.enum(intakeTypes),
    planToken: z.string().describe('From GET /plans, at most 15 minutes old'),
    couponCode: z.string().optional(),
  })
  .meta({ id: 'Intake' }) satisfies z.ZodType<Intake>;

export const submitted = z
  .object({ success: z.literal(true), submissionId: z.uuid() })
  .meta({ id: 'IntakeSubmitted' });

const isoTimestamp = z.iso.datetime();

export const submission = z.object({
  submission: z
    .object({
      id: z.uuid(),
      first_name: z.string(),
      last_name: z.string(),
      email: z.string(),
      phone: z.string().nullable(),
      state: z.string().nullable(),
      intake_type: z.enum(intakeTypes),
      emr_patient_id: z.string().nullable().describe('Null until the EMR has the patient'),
      status: z.enum(submissionStatuses),
      data: z.unknown().describe('The whole request, with the ids of the payment step'),
      created_at: isoTimestamp,
    })
    .meta({ id: 'IntakeSubmission' }),
});

const retryEntry = z
  .object({
    id: z.uuid(),
    submission_id: z.uuid(),
    action: z.literal('create_patient'),
    attempts: z.int().describe('Made since the entry was queued or reset, of 3'),
    last_error: z.string().nullable(),
    status: z.enum(retryStatuses),
    created_at: isoTimestamp,
    next_retry_at: isoTimestamp.nullable(),
  })
  .meta({ id: 'IntakeRetry' });
export const retry = z.object({ retry: retryEntry });
export const retries = z.object({
  retries: z.array(retryEntry),
  nextCursor: z.string().nullable().describe('For the next page; null at the end'),
});
export const retryQuery = pageQuery.extend({ status: z.enum(retryStatuses).optional() });

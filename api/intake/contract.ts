import { z } from 'zod';
import {
  birthDateOf,
  type Intake,
  intakeTypes,
  retryStatuses,
  stateOf,
  submissionStatuses,
} from '../../domain/intake/intake.js';
import { codeRefusals } from '../../domain/intake/verification.js';
import { emailAddress } from '../../platform/email-address.js';
import { pageQuery } from '../cursor.js';
import { idempotencyHeaders } from '../idempotency.js';

/** What a text must be to count as given at all. */
const given = z.string().min(1);
/** Addresses are compared in lower case (D61). */
const lowerCaseAddress = given.pipe(emailAddress.toLowerCase());
/** A text of a person or an address, as long as any that exists. It is long before it is anything else (D95). */
const shortText = given.max(100, { abort: true });
/** The processor makes no longer ids. */
const processorId = given.max(255, { abort: true });
/** One that is not valid counts as none, where none is required (D86). */
const emailProof = z
  .string()
  .max(1_000, { abort: true })
  .optional()
  .describe('From POST /verify-email/check, at most two hours old; may be required');

const plan = z
  .object({
    id: z.uuid(),
    intakeType: z.enum(intakeTypes),
    plan: z.string().describe('Such as `monthly`'),
    displayName: z.string(),
    amountCents: z.int(),
    interval: z.string().describe('`month`'),
    token: z.string().describe('Fixes the price; to be handed in with the intake within 15 minutes'),
  })
  .meta({ id: 'Plan' });
export const plans = z.object({ plans: z.array(plan) });

export const sendRequest = z.object({ email: lowerCaseAddress }).meta({ id: 'SendCode' });
export const sendAnswer = z.object({
  success: z.literal(true),
  message: z.literal('Verification code sent'),
});

export const checkRequest = z
  .object({ email: lowerCaseAddress, code: given.describe('Six digits') })
  .meta({ id: 'CheckCode' });
export const checkAnswer = z.union([
  z.object({
    verified: z.literal(true),
    emailProof: z.string().describe('Proves this address for two hours'),
  }),
  z.object({ verified: z.literal(false), error: z.enum(codeRefusals) }),
]);

export const submitHeaders = idempotencyHeaders(
  'The same key and body again: the same answer, and nothing is stored twice (D62)',
);

/** Page 2, Intake submission. Unknown fields are ignored here and kept in `data` (D7). */
export const intake = z
  .object({
    firstName: shortText,
    lastName: shortText,
    dob: z
      .string()
      .max(10, { abort: true })
      .refine((dob) => birthDateOf(dob) !== undefined, 'must be a calendar date, MM-DD-YYYY')
      .describe('`MM-DD-YYYY`; 18 years or older'),
    gender: z.enum(['male', 'female', 'other']).optional(),
    email: emailAddress.describe('Finds the patient in the EMR, in whatever case'),
    phone: z.string().min(10).max(100, { abort: true }),
    state: z
      .string()
      .max(2, { abort: true })
      .refine((code) => stateOf(code) !== undefined, 'must be the two-letter code of a state or DC')
      .describe('Two-letter code, in either case; decides availability'),
    address: z.object({
      line1: z.string().min(1).max(200, { abort: true }),
      line2: z.string().max(200, { abort: true }).optional(),
      city: shortText,
      state: z
        .string()
        .max(2, { abort: true })
        .regex(/^[A-Za-z]{2}$/, 'must be a two-letter code'),
      zip: z.string().min(5).max(10),
    }),
    intakeType: z.enum(intakeTypes),
    planToken: z.string().max(1_000, { abort: true }).describe('From GET /plans, at most 15 minutes old'),
    couponCode: z.string().max(500, { abort: true }).optional(),
    emailProof,
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

export const paymentIntentRequest = z
  .object({
    customerId: processorId
      .optional()
      .describe("The session is attached to this customer, if it is the proven address's own"),
    emailProof,
  })
  .meta({ id: 'PaymentIntent' })
  .prefault({});
export const paymentIntentAnswer = z.object({
  clientSecret: z.string().describe('For the payment library in the browser, which saves the card with it'),
  setupIntentId: z.string(),
});

export const couponRequest = z
  .object({ code: given.describe('Exactly the id of the coupon at the payment processor') })
  .meta({ id: 'Coupon' });
export const couponAnswer = z.object({
  valid: z.boolean(),
  amountOff: z.number().nullable().describe('In dollars'),
  percentOff: z.number().nullable(),
  reason: z.enum(['Coupon is no longer valid', 'Coupon not found']).optional(),
});

export const paymentInfoRequest = z
  .object({
    submissionId: given.max(100, { abort: true }),
    paymentMethodId: processorId,
    setupIntentId: processorId.optional(),
    emailProof,
  })
  .meta({ id: 'PaymentInfo' });
export const paymentInfoAnswer = z.object({ success: z.literal(true) });

export type PaymentInfo = z.infer<typeof paymentInfoRequest>;

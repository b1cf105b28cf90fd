import { z } from 'zod';
import {
  birthDateOf,
  codeRefusals,
  type Intake,
  intakeTypes,
  retryStatuses,
  stateOf,
  submissionStatuses,
} from '../../domain/intake/intake.js';
import { typedCode } from '../../domain/one-time-code.js';
import { tenDigitsOf } from '../../domain/phone-number.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { idempotencyHeaders } from '../idempotency.js';
import { timestamp } from '../instant.js';
import { emailAddress, filled, text } from '../../platform/http/text.js';

/** Addresses are compared in lower case (D61). */
const lowerCaseAddress = filled(254).pipe(emailAddress.toLowerCase());
const shortText = filled(100);
const processorId = filled(255);
/** Where no proof is required, an invalid one counts as none (D86). */
const emailProof = text(1_000)
  .optional()
  .describe('From POST /verify-email/check, at most two hours old; some installations require it');

const plan = z
  .object({
    id: z.uuid(),
    intakeType: z.enum(intakeTypes),
    plan: z.string().describe('Such as `monthly`'),
    displayName: z.string(),
    amountCents: z.int(),
    interval: z.string().describe('`month`'),
    token: z.string().describe('Fixes the price; send it with the intake within 15 minutes'),
  })
  .meta({ id: 'Plan' });
export const plans = z.object({ plans: z.array(plan) });

export const sendRequest = z.object({ email: lowerCaseAddress }).meta({ id: 'SendCode' });
export const sendAnswer = z.object({
  success: z.literal(true),
  message: z.literal('Verification code sent'),
});

export const checkRequest = z
  .object({ email: lowerCaseAddress, code: filled(10_000).overwrite(typedCode).describe('Six digits') })
  .meta({ id: 'CheckCode' });
export const checkAnswer = z.union([
  z.object({
    verified: z.literal(true),
    emailProof: z.string().describe('Proves this address for two hours'),
  }),
  z.object({ verified: z.literal(false), error: z.enum(codeRefusals) }),
]);

export const submitHeaders = idempotencyHeaders(
  'The same key and body return the same answer, and the intake is stored once (D62)',
);

/** Page 2, Intake submission. `data` also stores unknown fields (D7). */
export const intake = z
  .object({
    firstName: shortText,
    lastName: shortText,
    dob: text(10)
      .refine((dob) => birthDateOf(dob) !== undefined, {
        error: 'must be a calendar date, MM-DD-YYYY',
        abort: true,
      })
      .refine((dob) => dob.slice(6) >= '1850', 'must be the birthday of a living person')
      .describe('`MM-DD-YYYY`; 18 years or older')
      .meta({ pattern: '^[0-9]{2}-[0-9]{2}-[0-9]{4}$' }),
    gender: z.enum(['male', 'female', 'other']).optional(),
    email: emailAddress.describe('Finds the patient in the EMR; case-insensitive'),
    phone: text(100)
      .min(10, { abort: true })
      .refine((phone) => tenDigitsOf(phone) !== undefined, 'must have ten digits, or eleven with a leading 1')
      .describe('Ten digits, or eleven with a leading 1; an extension is left out'),
    state: text(2)
      .refine((code) => stateOf(code) !== undefined, 'must be the two-letter code of a state or DC')
      .describe('Two-letter code, in either case; decides availability')
      .meta({ pattern: '^[A-Za-z]{2}$' }),
    address: z.object({
      line1: filled(200),
      line2: text(200).optional(),
      city: shortText,
      state: text(2).regex(/^[A-Za-z]{2}$/, 'must be a two-letter code'),
      zip: filled(10).min(5),
    }),
    intakeType: z.enum(intakeTypes),
    planToken: text(1_000).describe('From GET /plans, at most 15 minutes old'),
    couponCode: text(500).optional(),
    emailProof,
  })
  .meta({ id: 'Intake' }) satisfies z.ZodType<Intake>;

export const submitted = z
  .object({ success: z.literal(true), submissionId: z.uuid() })
  .meta({ id: 'IntakeSubmitted' });

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
      created_at: timestamp,
    })
    .meta({ id: 'IntakeSubmission' }),
});

const retryEntry = z
  .object({
    id: z.uuid(),
    submission_id: z.uuid(),
    action: z.literal('create_patient'),
    attempts: z.int().describe('Attempts since the entry was queued or reset, at most 3'),
    last_error: z.string().nullable(),
    status: z.enum(retryStatuses),
    created_at: timestamp,
    next_retry_at: timestamp.nullable(),
  })
  .meta({ id: 'IntakeRetry' });
export const retry = z.object({ retry: retryEntry });
export const retries = z.object({ retries: z.array(retryEntry), nextCursor });
export const retryQuery = pageQuery.extend({ status: z.enum(retryStatuses).optional() });

export const paymentIntentRequest = z
  .object({
    customerId: processorId
      .optional()
      .describe('Customer to attach the session to; `emailProof` must prove its address'),
    emailProof,
  })
  .meta({ id: 'PaymentIntent' })
  .prefault({});
export const paymentIntentAnswer = z.object({
  clientSecret: z.string().describe('The payment library in the browser saves the card with it'),
  setupIntentId: z.string(),
});

export const couponRequest = z
  .object({ code: filled(100_000).describe('Id of the coupon at the payment processor') })
  .meta({ id: 'Coupon' });
export const couponAnswer = z.object({
  valid: z.boolean(),
  amountOff: z.number().nullable().describe('In dollars'),
  percentOff: z.number().nullable(),
  reason: z.enum(['Coupon is no longer valid', 'Coupon not found']).optional(),
});

export const paymentInfoRequest = z
  .object({
    submissionId: filled(100),
    paymentMethodId: processorId,
    setupIntentId: processorId.optional(),
    emailProof,
  })
  .meta({ id: 'PaymentInfo' });
export const paymentInfoAnswer = z.object({ success: z.literal(true) });

const payToken = text(4_000).min(1).describe('Token of the payment link');
export const paySessionRequest = z.object({ token: payToken }).meta({ id: 'PaySession' });
export const paySessionAnswer = z.object({ clientSecret: z.string(), setupIntentId: z.string() });
export const payRequest = z
  .object({
    token: payToken,
    paymentMethodId: processorId.optional().describe('A new card'),
    setupIntentId: processorId.optional().describe('Session that has saved or authenticated a card'),
  })
  .meta({ id: 'Pay' });
export const payAnswer = z.object({
  paid: z.boolean(),
  status: z.enum(['pending', 'succeeded', 'failed']).describe('`pending`: the result comes later'),
});

export type PaymentInfo = z.infer<typeof paymentInfoRequest>;

import { z } from 'zod';
import { callbackKinds, callbackStates } from '../../domain/router/callbacks.js';
import { holdAnswers } from '../../domain/router/holds.js';
import { denialReasons, holdCodes } from '../../domain/router/pharmacy-words.js';
import { maxOrderLine } from '../../domain/orderable-patient.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { type PrescriptionSubmission, submissionStatuses } from '../../domain/router/submission.js';
import { isUnitedStates, isUsZip } from '../../domain/us-address.js';
import { pageQuery } from '../cursor.js';
import { httpError } from '../http-errors.js';
import { instant } from '../instant.js';
import {
  filled,
  orderReference,
  reference,
  text,
  trimmedState,
  twoLetters as state,
  webUrl,
} from '../../platform/http/text.js';

const line = filled(maxOrderLine);
const optionalLine = text(maxOrderLine).optional();
const prose = filled(10_000);
const optionalProse = text(10_000).optional();
const facts = z.object({ known: z.boolean(), entries: z.array(prose).optional() });
/** As large as the body limit of the route. */
const maxSignatureCharacters = 5 * 1024 * 1024;

const shipTo = z.object({
  firstName: line,
  lastName: line,
  phone: line,
  addressLine1: line,
  addressLine2: optionalLine,
  city: line,
  state: state.describe('Two-letter code, in either case'),
  zip: filled(maxOrderLine).min(5),
});
/** An address that we can ship to; a submission has a rule of its own for the ZIP (D152). */
const shipToUnitedStates = shipTo.extend({
  state: trimmedState.describe('Two-letter code, in either case'),
  zip: shipTo.shape.zip.refine(isUsZip, 'must have 5 or 9 digits'),
  country: text(100).refine(isUnitedStates, 'must be the United States').optional(),
});
const orderFields = { sig: prose, quantity: z.number().positive(), daysSupply: z.int().positive() };

/** Page 1, PrescriptionSubmission. Validation ignores unknown fields; the stored payload keeps them (D7). */
export const prescriptionSubmission = z
  .object({
    source: reference.describe('The calling system'),
    sourceOrderId: orderReference.describe("The caller's order reference, unique per source"),
    callbackUrl: webUrl,
    patient: z.object({
      firstName: line,
      lastName: line,
      dob: text(10).check(z.iso.date()).describe('Calendar date, YYYY-MM-DD'),
      gender: z.enum(['male', 'female']),
      phone: line,
      email: optionalLine,
    }),
    shipTo,
    prescriber: z.object({
      firstName: line,
      lastName: line,
      npi: text(10, 'must be 10 digits').regex(/^\d{10}$/, 'must be 10 digits'),
      deaNumber: optionalLine,
      licenseNumber: optionalLine,
      licenseState: optionalLine,
      phone: optionalLine,
      fax: optionalLine,
      email: optionalLine,
      address: z.object({ line1: line, city: line, state: line, zip: line }).optional(),
      signatureBase64: text(maxSignatureCharacters)
        .check(z.base64())
        .optional()
        .describe("Signature image; pharmacy_b's signed prescription"),
    }),
    medication: z.object({
      name: line.describe('Selects the article of the pharmacy unless `key` does'),
      key: line.optional().describe('Key of a medication; an article for this key comes before `name`'),
      ...orderFields,
      refills: z.int().min(0),
      clinicalJustification: optionalProse,
      note: optionalProse,
    }),
    routing: z
      .object({
        patientState: state.optional().describe('When omitted, `shipTo.state` decides'),
        preferredPharmacy: z.enum(pharmacies).optional().describe('Bypasses state routing'),
      })
      .optional(),
    test: z.boolean().optional().describe('Targets the pharmacy sandboxes; nothing real is created'),
    clinical: z
      .object({
        allergies: facts.optional(),
        conditions: facts.optional(),
        medications: facts.optional(),
        billTo: z.enum(['patient', 'practice']).optional(),
      })
      .optional(),
  })
  .meta({ id: 'PrescriptionSubmission' }) satisfies z.ZodType<PrescriptionSubmission>;

const pharmacy = z.enum(pharmacies);

export const submitted = z
  .object({
    submissionId: z.uuid(),
    pharmacy,
    status: z.literal('submitted'),
    pharmacyOrderId: z.string(),
  })
  .meta({ id: 'Submitted' });

export const submissionFailed = z
  .object({
    submissionId: z.uuid(),
    pharmacy,
    status: z.literal('failed'),
    pharmacyOrderId: z.null(),
    error: z.string().describe("The pharmacy's error text, or the reason for a missing response"),
  })
  .meta({ id: 'SubmissionFailed' });

const hold = z
  .object({
    id: z.string().describe("The pharmacy's hold id"),
    code: z.enum(holdCodes),
    pharmacyCode: z.string().describe("The pharmacy's own code"),
    message: z.string().nullable(),
    until: z.string().nullable().describe('ISO 8601, as the pharmacy sent it'),
    state: z.enum(['open', 'answered', 'released']),
    openedAt: z.date(),
    answer: z.enum(holdAnswers).nullable().describe('Null until the pharmacy accepts an answer'),
    answeredAt: z.date().nullable(),
  })
  .meta({ id: 'Hold' });
export const oneHold = z.object({ hold });

const holdChanges = z.object({
  sig: orderFields.sig.optional(),
  quantity: orderFields.quantity.optional(),
  daysSupply: orderFields.daysSupply.optional(),
  shipTo: shipToUnitedStates.optional().describe('The complete address'),
  onceOnly: z
    .boolean()
    .optional()
    .describe('true: for this order only, not for the refills after it; no change itself'),
});
export const holdAnswer = z
  .object({
    answer: z.enum(holdAnswers),
    text: text(2_000).optional(),
    changes: holdChanges
      .optional()
      .describe('Required for `change`, with at least one field; not allowed otherwise'),
  })
  .check(({ value: { answer, changes }, issues }) => {
    const { onceOnly: _, ...changed } = changes ?? {};
    const given = Object.values(changed).filter((value) => value !== undefined).length;
    const wrong = { code: 'custom' as const, path: ['changes'], input: changes };
    if (answer !== 'change' && changes !== undefined)
      issues.push({ ...wrong, message: 'goes with change only' });
    else if (answer === 'change' && given === 0)
      issues.push({ ...wrong, message: 'must say at least one change' });
  })
  .meta({ id: 'HoldAnswer' });

const cancellation = z
  .object({
    state: z.enum(['pending', 'approved', 'denied']),
    reason: z.enum(denialReasons).nullable().describe('Code of a denial'),
    requestReason: z.string().nullable(),
    requestedAt: z.date(),
    answeredAt: z.date().nullable(),
  })
  .meta({ id: 'PrescriptionCancellation' });

export const cancelRequest = z
  .object({ reason: text(500).optional().describe('Sent to the pharmacy') })
  .nullish();
export const cancelled = z.object({ submissionId: z.uuid(), cancellation });

const parcel = z
  .object({
    trackingNumber: z.string(),
    carrier: z.string().nullable(),
    at: z.string().describe('When the pharmacy first named it, ISO 8601'),
  })
  .meta({ id: 'Parcel' });
export const looked = z
  .object({
    submissionId: z.uuid(),
    found: z.boolean().nullable().describe('True if the pharmacy has the order; null until it answers'),
  })
  .meta({ id: 'OrderLook' });

export const submissionRecord = z
  .object({
    id: z.uuid(),
    apiKeyId: z.string(),
    source: z.string(),
    sourceOrderId: z.string(),
    callbackUrl: z.string(),
    patientState: z.string(),
    medicationName: z.string(),
    pharmacy,
    pharmacyOrderId: z.string().nullable(),
    status: z.enum(submissionStatuses),
    trackingNumber: z.string().nullable().describe("The newest parcel's"),
    carrier: z.string().nullable(),
    parcels: z.array(parcel).describe('Oldest first'),
    errorMessage: z.string().nullable(),
    requestPayload: z.unknown().describe('The original PrescriptionSubmission'),
    responsePayload: z.unknown().describe("The pharmacy's raw response: JSON, text, or null"),
    submittedAt: z.date(),
    createdAt: z.date(),
    updatedAt: z.date(),
    holds: z.array(hold).describe('Oldest first'),
    amendments: z
      .array(z.object({ holdId: z.string(), changes: z.record(z.string(), z.unknown()), at: z.date() }))
      .describe('Changes to the order made by answers to holds'),
    cancellation: cancellation.nullable().describe('Null if nobody requested one'),
  })
  .meta({ id: 'SubmissionRecord' });

export const submissionError = httpError.extend({ submissionId: z.uuid() }).meta({ id: 'SubmissionError' });
export const filling = z.object({ pharmacy, fills: z.boolean() }).meta({ id: 'Filling' });

const submissionEntry = submissionRecord
  .omit({ requestPayload: true, responsePayload: true, holds: true, amendments: true, cancellation: true })
  .meta({ id: 'SubmissionEntry' });
export const submissionQuery = pageQuery.extend({
  status: z.enum(submissionStatuses).optional(),
  pharmacy: pharmacy.optional(),
  sourceOrderId: orderReference.optional(),
  submittedFrom: instant.optional().describe('Inclusive'),
  submittedTo: instant.optional().describe('Exclusive'),
});
export const submissionList = z.object({
  prescriptions: z.array(submissionEntry),
  nextCursor: z.string().nullable().describe('For the next page; null on the last page'),
});

export const callbackList = z.object({
  callbacks: z.array(
    z
      .object({
        id: z.uuid().describe('Every attempt sends it as `X-Callback-Id`'),
        kind: z.enum(callbackKinds),
        state: z.enum(callbackStates),
        payload: z.unknown().describe('The request body'),
        attempts: z.array(
          z.object({
            at: z.date(),
            status: z.number().int().nullable().describe('Null if the receiver did not respond'),
            error: z.string().nullable(),
            durationMs: z.number().int(),
          }),
        ),
        nextAttemptAt: z.date().nullable().describe('Null if no attempt is left, or the next one is due now'),
      })
      .meta({ id: 'Callback' }),
  ),
});

export const redelivery = z.object({ ok: z.literal(true) });

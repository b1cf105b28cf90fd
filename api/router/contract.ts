import { z } from 'zod';
import { callbackKinds, callbackStates } from '../../domain/router/callbacks.js';
import { holdAnswers } from '../../domain/router/holds.js';
import { denialReasons, holdCodes } from '../../domain/router/pharmacy-words.js';
import { maxOrderLine } from '../../domain/orderable-patient.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { type PrescriptionSubmission, submissionStatuses } from '../../domain/router/submission.js';
import { isUnitedStates, isUsZip } from '../../domain/us-address.js';
import { pageQuery } from '../cursor.js';
import { instant } from '../instant.js';
import { httpError } from '../http-errors.js';
import {
  filled,
  orderReference,
  reference,
  text,
  twoLetters as state,
  webUrl,
} from '../../platform/http/text.js';

/** Of a person, an address, an order; pharmacies print far less. */
const line = filled(maxOrderLine);
const optionalLine = text(maxOrderLine).optional();
/** What somebody has written. */
const prose = filled(10_000);
const optionalProse = text(10_000).optional();
const facts = z.object({ known: z.boolean(), entries: z.array(prose).optional() });
/** A signature image may fill the body that it travels in. */
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
  zip: shipTo.shape.zip.refine(isUsZip, 'must have 5 or 9 digits'),
  country: text(100).refine(isUnitedStates, 'must be the United States').optional(),
});
const orderFields = { sig: prose, quantity: z.number().positive(), daysSupply: z.int().positive() };

/** Page 1, PrescriptionSubmission. Unknown fields are ignored here and kept in the verbatim payload (D7). */
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
      name: line.describe('Decides the SKU or catalog id'),
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
    error: z.string().describe("The pharmacy's text, or why there was no answer"),
  })
  .meta({ id: 'SubmissionFailed' });

const isoTimestamp = z.iso.datetime();

const hold = z
  .object({
    id: z.string().describe("The pharmacy's"),
    code: z.enum(holdCodes),
    pharmacyCode: z.string().describe("The pharmacy's own word"),
    message: z.string().nullable(),
    until: z.string().nullable().describe('ISO 8601, as the pharmacy wrote it'),
    state: z.enum(['open', 'answered', 'released']),
    openedAt: isoTimestamp,
    answer: z.enum(holdAnswers).nullable().describe('Null until the pharmacy has taken it'),
    answeredAt: isoTimestamp.nullable(),
  })
  .meta({ id: 'Hold' });
export const oneHold = z.object({ hold });

const holdChanges = z.object({
  sig: orderFields.sig.optional(),
  quantity: orderFields.quantity.optional(),
  daysSupply: orderFields.daysSupply.optional(),
  shipTo: shipToUnitedStates.optional().describe('Whole'),
});
export const holdAnswer = z
  .object({
    answer: z.enum(holdAnswers),
    text: text(2_000).optional(),
    changes: holdChanges.optional().describe('With `change`, and only with it; at least one'),
  })
  .check(({ value: { answer, changes }, issues }) => {
    const given = Object.values(changes ?? {}).filter((value) => value !== undefined).length;
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
    reason: z.enum(denialReasons).nullable().describe("The denial's code, else null"),
    requestReason: z.string().nullable(),
    requestedAt: isoTimestamp,
    answeredAt: isoTimestamp.nullable(),
  })
  .meta({ id: 'PrescriptionCancellation' });

/** No body is an empty one. */
export const cancelRequest = z
  .object({ reason: text(500).optional().describe('Handed on to the pharmacy') })
  .nullish();
export const cancelled = z.object({ submissionId: z.uuid(), cancellation });

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
    trackingNumber: z.string().nullable(),
    carrier: z.string().nullable(),
    errorMessage: z.string().nullable(),
    requestPayload: z.unknown().describe('The original PrescriptionSubmission'),
    responsePayload: z.unknown().describe("The pharmacy's raw response: JSON, text, or null"),
    submittedAt: isoTimestamp,
    createdAt: isoTimestamp,
    updatedAt: isoTimestamp,
    holds: z.array(hold).describe('Oldest first'),
    amendments: z
      .array(z.object({ holdId: z.string(), changes: z.record(z.string(), z.unknown()), at: isoTimestamp }))
      .describe('What answers to holds have changed of the order'),
    cancellation: cancellation.nullable().describe('Null where never asked for'),
  })
  .meta({ id: 'SubmissionRecord' });

export const ofSubmission = httpError.extend({ submissionId: z.uuid() }).meta({ id: 'SubmissionRefusal' });
export const filling = z.object({ pharmacy, fills: z.boolean() }).meta({ id: 'Filling' });

const submissionEntry = submissionRecord
  .omit({ requestPayload: true, responsePayload: true, holds: true, amendments: true, cancellation: true })
  .meta({ id: 'SubmissionEntry' });
export const submissionQuery = pageQuery.extend({
  status: z.enum(submissionStatuses).optional(),
  pharmacy: pharmacy.optional(),
  sourceOrderId: orderReference.optional(),
});
export const submissionList = z.object({
  prescriptions: z.array(submissionEntry),
  nextCursor: z.string().nullable().describe('For the next page; null at the end'),
});

export const callbackList = z.object({
  callbacks: z.array(
    z
      .object({
        id: z.uuid().describe('Sent as `X-Callback-Id` with every attempt'),
        kind: z.enum(callbackKinds),
        state: z.enum(callbackStates),
        payload: z.unknown().describe('The body that is sent'),
        attempts: z.array(
          z.object({
            at: isoTimestamp,
            status: z.number().int().nullable().describe('Null without an answer'),
            error: z.string().nullable(),
            durationMs: z.number().int(),
          }),
        ),
        nextAttemptAt: isoTimestamp
          .nullable()
          .describe('Null when none is to come, or when it comes as soon as it is its turn'),
      })
      .meta({ id: 'Callback' }),
  ),
});
export const redelivery = z.object({ ok: z.literal(true) });

export const stateCode = z.object({ state: state.transform((code) => code.toUpperCase()) });
export const routeQuery = z.object({
  state,
  medication: prescriptionSubmission.shape.medication.shape.name,
});
export const routeOfOrder = z.object({
  pharmacy: pharmacy.nullable().describe('null where no pharmacy serves the state'),
  carriesMedication: z.boolean(),
});
export const newRoute = z.object({
  pharmacy,
  priority: z.int32().describe('The highest active one wins'),
  isActive: z.boolean(),
});
const route = z.object({ state: z.string(), ...newRoute.shape }).meta({ id: 'Route' });
export const routeList = z.object({ routes: z.array(route) });
export const oneRoute = z.object({ route });

export const scorecardQuery = z.object({
  from: instant.optional().describe('30 days before `to` unless said otherwise'),
  to: instant.optional().describe('Now unless said otherwise'),
});
const seconds = z
  .object({ median: z.number().nullable(), p95: z.number().nullable() })
  .describe('Since the submission; null where it happened to none');
export const scorecard = z.object({
  from: isoTimestamp,
  to: isoTimestamp,
  pharmacies: z.array(
    z
      .object({
        pharmacy,
        orders: z.number().int().describe('Submitted in that time, rejected ones too'),
        rejected: z.number().int(),
        secondsToAccepted: seconds,
        secondsToShipped: seconds,
        secondsToDelivered: seconds,
        holds: z.record(z.string(), z.number().int()).describe('By code'),
        healedByAsking: z.number().int(),
      })
      .meta({ id: 'PharmacyScore' }),
  ),
});

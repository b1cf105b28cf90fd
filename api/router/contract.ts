import { z } from 'zod';
import { callbackKinds, callbackStates } from '../../domain/router/callbacks.js';
import { pharmacyBStatuses, reportedStatuses } from '../../domain/router/order-updates.js';
import { pharmacies } from '../../domain/router/pharmacy-routing.js';
import { type PrescriptionSubmission, submissionStatuses } from '../../domain/router/submission.js';
import { pageQuery } from '../cursor.js';
import { refusal } from '../refusals.js';
import { reference, text, twoLetters as state, webUrl } from '../text.js';

/** Of a person, an address, an order; pharmacies print far less. */
const line = text(500).min(1);
const optionalLine = text(500).optional();
/** What somebody has written. */
const prose = text(10_000).min(1);
const optionalProse = text(10_000).optional();
const facts = z.object({ known: z.boolean(), entries: z.array(prose).optional() });
/** A signature image may fill the body that it travels in. */
const maxSignatureCharacters = 5 * 1024 * 1024;

/** Page 1, PrescriptionSubmission. Unknown fields are ignored here and kept in the verbatim payload (D7). */
export const prescriptionSubmission = z
  .object({
    source: reference.describe('The calling system'),
    sourceOrderId: reference.describe("The caller's order reference, unique per source"),
    callbackUrl: webUrl,
    patient: z.object({
      firstName: line,
      lastName: line,
      dob: text(10).check(z.iso.date()).describe('Calendar date, YYYY-MM-DD'),
      gender: z.enum(['male', 'female']),
      phone: line,
      email: optionalLine,
    }),
    shipTo: z.object({
      firstName: line,
      lastName: line,
      phone: line,
      addressLine1: line,
      addressLine2: optionalLine,
      city: line,
      state: state.describe('Two-letter code, in either case'),
      zip: text(500).min(5),
    }),
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
      sig: prose,
      quantity: z.number().positive(),
      daysSupply: z.number().positive(),
      refills: z.number().min(0),
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
  })
  .meta({ id: 'SubmissionRecord' });

export const ofSubmission = refusal.extend({ submissionId: z.uuid() });

const submissionEntry = submissionRecord
  .omit({ requestPayload: true, responsePayload: true })
  .meta({ id: 'SubmissionEntry' });
export const submissionQuery = pageQuery.extend({
  status: z.enum(submissionStatuses).optional(),
  pharmacy: pharmacy.optional(),
  sourceOrderId: reference.optional(),
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

const pharmacyOrder = line.describe("The submission's pharmacyOrderId");
export const pharmacyAWebhook = z
  .object({
    caseId: pharmacyOrder,
    trackingNumber: optionalLine,
    rxStatus: z.enum(reportedStatuses).optional(),
  })
  .meta({ id: 'PharmacyAWebhook' });
export const pharmacyBWebhook = z
  .object({
    tracking_id: pharmacyOrder,
    trackingnumber: optionalLine,
    rxstatus: z.enum(pharmacyBStatuses).optional().describe('`in-transit` means `shipped`'),
    shippingcarrier: optionalLine,
  })
  .meta({ id: 'PharmacyBWebhook' });
export const received = z.object({ ok: z.literal(true) });

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import type { PatientRow } from '../../domain/patients/patient-directory.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { cutFromJson } from '../../platform/http/cut-json.js';
import * as starts from '../../starts/patients.js';
import type { ServiceContext } from '../context.js';
import { endOf, runFailed } from '../outcomes.js';
import { conflict, HttpError } from '../http-errors.js';
import type { NewPatientBody } from './contract.js';
import { snapshotOf } from './snapshot-routes.js';

/** Longer than the total timeout of the EMR calls. The workflow continues after it. */
const answerWithinMs = 45_000;

/** The idempotency key determines the patient's id, and with it the workflow (D80). */
export function creationOf(
  request: FastifyRequest,
  body: NewPatientBody,
  idempotencyKey: string | undefined,
): starts.CreatePatientRequest {
  const { organizationId, contactEmail, demographics, intake, identifiers = {} } = body;
  const { payload, ...snapshot } = snapshotOf(
    request,
    intake,
    cutFromJson(request.rawBody, ['intake', 'payload']),
  );
  return {
    id: idempotencyKey === undefined ? randomUUID() : uuidV5('patient', request.admin.sub, idempotencyKey),
    organizationId,
    bodyHash: jsonHash(JSON.parse(request.rawBody.toString())),
    email: contactEmail.toLowerCase(),
    demographics,
    identifiers: {
      paymentCustomerId: identifiers.payment_customer_id ?? null,
      identityProviderId: identifiers.identity_provider_id ?? null,
      legacyMrn: identifiers.legacy_mrn ?? null,
    },
    snapshot: { ...snapshot, payloadBase64: payload.toString('base64') },
  };
}

/**
 * Creates a patient, or joins the running create under the same key, and waits for the result.
 * @throws HttpError 409 when the key belongs to another body or the organization is closed, 502 when the EMR rejects
 * the patient, 503 without a free MRN or a result in time
 */
export async function resultOf(
  { temporal }: Pick<ServiceContext, 'temporal'>,
  creation: starts.CreatePatientRequest,
): Promise<{ patient: PatientRow; replayed: boolean }> {
  const outcome = await starts.createPatient(temporal, creation, answerWithinMs);
  const end = endOf(outcome, {
    what: 'creation of the patient',
    ids: { patientId: creation.id },
    conflict: conflict(keyUsedOtherwiseText),
  });
  if (end.state === 'completed') {
    const { patient, replayed } = end.result;
    return { patient, replayed: replayed || end.joined !== false };
  }
  const { type, message } = end.failure;
  switch (type) {
    case failureTypes.duplicateConflict:
    case failureTypes.organizationClosed:
      throw conflict(message);
    case failureTypes.mrnExhausted:
      throw new HttpError(503, message, { code: 'mrn_exhausted' });
    case failureTypes.unavailable:
      throw new HttpError(502, message, { code: 'emr_unavailable' });
    default:
      throw runFailed(end.failure);
  }
}

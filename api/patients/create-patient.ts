import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import type { PatientRow } from '../../domain/patients/patient-directory.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { cutFromJson } from '../../platform/http/cut-json.js';
import { findOrganizationStatus, keepAskedStatus } from '../../db/patients/organizations.js';
import type { OrganizationClient } from '../../integrations/organization/client.js';
import type { OutboundError } from '../../platform/http/outbound.js';
import * as starts from '../../starts/patients.js';
import type { ServiceContext } from '../context.js';
import { endOf, outboundAs, runFailed } from '../outcomes.js';
import { conflict, HttpError, notFound, unauthorized } from '../http-errors.js';
import { standardError } from '../errors.js';
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

const askTimeoutMs = 5_000;
/** If the error has no `retry-after`: the window of the limits (D6). */
const defaultPauseMs = 60_000;

/**
 * Stores the organization's status if no event has brought it yet. Reads it from the organization service with the
 * caller's token (D73).
 * @throws HttpError 404 for an organization unknown to the caller, 401 and 429 as the service answers, else 502
 */
export async function learnOrganization(
  { sql }: Pick<ServiceContext, 'sql'>,
  organizations: OrganizationClient,
  { organizationId, authorization }: { organizationId: string; authorization: string },
): Promise<void> {
  if ((await findOrganizationStatus(sql, organizationId)) !== undefined) return;
  const status = await organizations
    .statusOf(organizationId, authorization, { timeoutMs: askTimeoutMs })
    .catch(outboundAs(errorOf));
  if (status === undefined) throw notFound();
  await keepAskedStatus(sql, { organizationId, status });
}

/** Passes 401 and 429 on to the caller. Any other error is an outage. */
function errorOf({ fault, message }: OutboundError): Error {
  if (fault.kind === 'status' && fault.status === 401) return unauthorized();
  if (fault.kind !== 'status' || fault.status !== 429)
    return new HttpError(502, message, { code: 'organization_unavailable' });
  const retryAfter = String(Math.ceil((fault.retryAfterMs ?? defaultPauseMs) / 1000));
  return standardError(429, { 'retry-after': retryAfter });
}

import { randomUUID } from 'node:crypto';
import {
  ApplicationFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
} from '@temporalio/client';
import type { FastifyRequest } from 'fastify';
import { failureTypes } from '../../domain/failures.js';
import { keyUsedOtherwiseText } from '../../domain/idempotency.js';
import { jsonHash, uuidV5 } from '../../platform/crypto/ids.js';
import { cutFromJson } from '../../platform/http/cut-json.js';
import type {
  createPatient,
  CreatedPatient,
  CreatePatientRequest,
} from '../../workflows/patients/create-patient.js';
import { patientCreateWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import { rxOrganization } from '../../workflows/search-attributes.js';
import type { ServiceContext } from '../context.js';
import { conflict, Refused } from '../refusals.js';
import type { NewPatientBody } from './contract.js';
import { handedIn } from './snapshot-routes.js';

/** Above what the EMR may use up; beyond it an outage of our own keeps the answer away, and the run goes on. */
const answerWithinMs = 45_000;

/**
 * The create that a request stands for. A caller's key gives the same id every time, and with it the same run (D80).
 */
export function creationOf(
  request: FastifyRequest,
  body: NewPatientBody,
  idempotencyKey: string | undefined,
): CreatePatientRequest {
  const { organizationId, contactEmail, demographics, intake, identifiers = {} } = body;
  const { payload, ...snapshot } = handedIn(
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
 * Starts the create, or finds the one that was started under the same key, and waits for what comes of it.
 * @throws Refused 409 when the key belongs to another body or the organization is closed, 502 when the EMR did not
 * take the patient, 503 when no number was free
 */
export async function resultOf(
  { temporal }: Pick<ServiceContext, 'temporal'>,
  creation: CreatePatientRequest,
): Promise<CreatedPatient> {
  const { created, joined } = await temporal
    .withDeadline(Date.now() + answerWithinMs, async () => {
      const { handle, joined } = await start(temporal, creation);
      return { created: await handle.result(), joined };
    })
    .catch((error: unknown) => {
      throw refusalOf(error);
    });
  // The run we joined may be that of another body under the same key.
  if (created.bodyHash !== creation.bodyHash) throw conflict(keyUsedOtherwiseText);
  return { ...created, replayed: created.replayed || joined };
}

async function start(temporal: ServiceContext['temporal'], creation: CreatePatientRequest) {
  const workflowId = patientCreateWorkflowId(creation.id);
  try {
    const handle = await temporal.workflow.start<typeof createPatient>('createPatient', {
      workflowId,
      taskQueue: taskQueues.patients,
      args: [creation],
      requestEagerStart: true,
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      typedSearchAttributes: [{ key: rxOrganization, value: creation.organizationId }],
      staticSummary: 'Create a patient',
      staticDetails: `**Directory id** ${creation.id}\n\n**Organization** ${creation.organizationId}`,
    });
    return { handle, joined: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return { handle: temporal.workflow.getHandle<typeof createPatient>(workflowId), joined: true };
  }
}

/** The answer that a failed run stands for; what it cannot tell, as it came. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof WorkflowFailedError) || !(error.cause instanceof ApplicationFailure)) return error;
  const { type, message } = error.cause;
  switch (type) {
    case failureTypes.duplicateConflict:
    case failureTypes.organizationClosed:
      return conflict(message);
    case failureTypes.mrnExhausted:
      return new Refused(503, message, { code: 'mrn_exhausted' });
    case failureTypes.unavailable:
      return new Refused(502, message, { code: 'emr_unavailable' });
    default:
      return error;
  }
}

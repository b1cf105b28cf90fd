import {
  ApplicationFailure,
  CancellationScope,
  setCurrentDetails,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type {
  CommitRequest,
  PatientCreationActivities,
  Reserved,
} from '../../activities/patients/creations.js';
import type { MrnActivities } from '../../activities/patients/emr.js';
import type { Demographics } from '../../domain/patients/demographics.js';
import { failureTypes } from '../../domain/failures.js';
import { mrnExhaustedText, type PatientRow } from '../../domain/patients/patient-directory.js';
import type { RunOutcome } from '../../domain/search-attributes.js';
import { failureOf, localFirst, ordinary } from '../proxies.js';
import { rxOutcome } from '../search-attributes.js';

export interface CreatePatientRequest {
  id: string;
  organizationId: string;
  bodyHash: string;
  /** Lower case. */
  email: string;
  demographics: Demographics;
  identifiers: Pick<CommitRequest['patient'], 'paymentCustomerId' | 'identityProviderId' | 'legacyMrn'>;
  /** The submitted intake, its payload as Base64. */
  snapshot: Omit<CommitRequest['snapshot'], 'patientId' | 'organizationId'>;
}

export interface CreatedPatient {
  patient: PatientRow;
  bodyHash: string;
  /** An earlier run created the patient. */
  replayed: boolean;
}

/** The EMR's patients with the MRN. */
interface EmrPatients {
  emrPatientId: string;
  surplusEmrPatientIds: string[];
  /** A call was not answered, so more patients may appear. */
  lookAgain: boolean;
}

const records = localFirst<PatientCreationActivities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
});

// A caller waits: three calls of 3.5 s for each of at most three steps, so at most 35 s.
const emr = ordinary<MrnActivities>({
  startToCloseTimeout: '4 s',
  retry: { initialInterval: '300 ms', maximumAttempts: 3 },
});

/**
 * Creates a patient in the EMR and in the directory, or in neither (page 3, Atomic create; D80).
 * @throws MrnExhausted, OrganizationClosed or DuplicateConflict, with nothing stored; Unavailable if the EMR did not
 * create the patient; StepFailed if the directory did not, and the EMR's patient is in the orphan log
 */
export async function createPatient(request: CreatePatientRequest): Promise<CreatedPatient> {
  // A cancelled run would leave work for the sweep.
  return CancellationScope.nonCancellable(() => create(request));
}

async function create(request: CreatePatientRequest): Promise<CreatedPatient> {
  const { id, organizationId, bodyHash } = request;
  const reserved = await reserve(request);
  if ('recorded' in reserved) return { patient: reserved.recorded, bodyHash, replayed: true };
  const { mrn, isNew } = reserved;

  const known = await lookUp(request, mrn);
  if (known.length > 0 && isNew) throw await giveUp(request);
  const held = await makeInEmr(request, mrn, known);

  try {
    const patient = await records('5/5 Commit row, snapshot and event').commitPatient({
      patient: {
        id,
        mrn,
        organizationId,
        emrPatientId: held.emrPatientId,
        emailLower: request.email,
        ...request.identifiers,
      },
      snapshot: { patientId: id, organizationId, ...request.snapshot },
      surplusEmrPatientIds: held.surplusEmrPatientIds,
      lookAgain: held.lookAgain,
    });
    setOutcome('OK');
    setCurrentDetails('**Created** in the EMR and in the directory.');
    return { patient, bodyHash, replayed: false };
  } catch (error) {
    const reason = `The directory did not store the patient: ${failureOf(error).message}`;
    await fail(request, [held.emrPatientId, ...held.surplusEmrPatientIds], reason);
    setCurrentDetails(
      `**FAILED: ${reason}.**\nThe EMR's patient is in the orphan log (\`GET /v1/orphans\`); reconcile it there.`,
    );
    throw failed(failureTypes.stepFailed, reason);
  }
}

async function reserve({ id, organizationId, bodyHash }: CreatePatientRequest): Promise<Reserved> {
  try {
    return await records('1/5 Reserve the MRN').reserveMrn({ id, organizationId, bodyHash });
  } catch (error) {
    const { type, message } = failureOf(error);
    setOutcome('FAILED');
    setCurrentDetails(`**FAILED: ${message}.**\nNothing was stored.`);
    throw failed(type, message);
  }
}

async function lookUp(request: CreatePatientRequest, mrn: string): Promise<string[]> {
  try {
    return await emr('2/5 Look the MRN up').findPatientsByMrn({ mrn });
  } catch (error) {
    throw await notCreated(request, error);
  }
}

/** The EMR has another patient with the new MRN, so the next create draws another. */
async function giveUp({ id }: CreatePatientRequest): Promise<ApplicationFailure> {
  await records('Release the MRN').releaseMrn({ id });
  setOutcome('FAILED');
  setCurrentDetails(`**FAILED: the EMR holds another patient under the new MRN.**\nNothing was stored.`);
  return failed(failureTypes.mrnExhausted, mrnExhaustedText);
}

/**
 * Looks the MRN up again after the call: its answer may be lost, and conditional creates may race (reliability points
 * 1, 3).
 * @param known the patients of an earlier try
 */
async function makeInEmr(
  request: CreatePatientRequest,
  mrn: string,
  known: readonly string[],
): Promise<EmrPatients> {
  if (known[0] !== undefined) return chosen(known[0], known, true);
  const { email, demographics } = request;
  const lostWorkers: true[] = [];
  const creates = emr('3/5 Create the EMR patient', () => lostWorkers.push(true));
  const made = await attempt(creates.makePatientUnderMrn({ mrn, email, demographics }));
  const after = await attempt(emr('4/5 Look the MRN up again').findPatientsByMrn({ mrn }));
  const emrPatientId = made.value?.emrPatientId ?? after.value?.[0];
  if (emrPatientId === undefined) throw await notCreated(request, made.error);
  const calledBefore = lostWorkers.length > 0 || made.value?.calledBefore !== false;
  return chosen(emrPatientId, after.value ?? [], calledBefore || !after.value);
}

/** The EMR did not confirm the patient. */
async function notCreated(request: CreatePatientRequest, error: unknown): Promise<ApplicationFailure> {
  const { message } = failureOf(error);
  await fail(request, [], message);
  setCurrentDetails(
    `**FAILED: ${message}.**\nThe caller may retry. If the EMR has created the patient, the sweep adds it to the orphan log.`,
  );
  return failed(failureTypes.unavailable, message);
}

const chosen = (emrPatientId: string, all: readonly string[], lookAgain: boolean): EmrPatients => ({
  emrPatientId,
  surplusEmrPatientIds: all.filter((id) => id !== emrPatientId),
  lookAgain,
});

async function attempt<T>(work: Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error };
  }
}

async function fail({ id }: CreatePatientRequest, emrPatientIds: string[], reason: string): Promise<void> {
  await records('Record the failure').failPatientCreation({ id, emrPatientIds, reason });
  setOutcome('FAILED');
}

const setOutcome = (outcome: RunOutcome): void =>
  upsertSearchAttributes([{ key: rxOutcome, value: outcome }]);

const failed = (type: string, message: string): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true });

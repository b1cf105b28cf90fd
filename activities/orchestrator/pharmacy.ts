import type { Sql } from '../../db/client.js';
import { clientOf } from '../../db/orchestrator/clients.js';
import { findSignature } from '../../db/orchestrator/prescriber-signatures.js';
import { ownTaskId, sourceOf } from '../../domain/clients.js';
import { failureTypes } from '../../domain/failures.js';
import {
  concentrationNote,
  type MedicationConfig,
  orderedMedication,
} from '../../domain/orchestrator/medications.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { PatientDetails } from '../../domain/orderable-patient.js';
import type { ResolvedPrescriber } from '../../domain/orchestrator/prescribers.js';
import type { PrescriptionSubmission, RouterClient } from '../../integrations/router/client.js';
import { callLimits, permanentFailure, waitingOutOwn } from '../calls.js';

export interface SubmissionInput {
  sourceOrderId: string;
  /** The requested pharmacy, whatever the patient's state (D105). */
  pharmacy?: Pharmacy | undefined;
  patient: PatientDetails;
  prescriber: ResolvedPrescriber;
  config: MedicationConfig;
  dosage?: string | undefined;
}

export interface PharmacyOrder {
  submissionId: string;
  pharmacy: string;
  pharmacyOrderId: string;
}

export interface PharmacyDependencies {
  sql: Sql;
  router: RouterClient;
  publicUrl: string;
  /** How long to wait out an outage of the router. */
  ownOutageMinutes: number;
}

/** Goes with a `Rejected` failure if the router asked the pharmacy. */
export interface OrderOutcome {
  /** The submission whose order may exist (D21), and the router reconciles it (D114); null if no order exists. */
  unknownId: string | null;
  /** An earlier run of the task sent it, perhaps with other details (D21). */
  isEarlier?: true;
}

export const createPharmacyActivities = (deps: PharmacyDependencies) => ({
  /**
   * Step 4: submits the prescription to the router, which chooses the pharmacy. Safe to retry: the router answers a
   * repeated reference with its first answer (D21). Step 3 stored the signature, so every attempt sends the same.
   * @throws Rejected with the router's final text, and an {@link OrderOutcome} if the router asked the pharmacy
   */
  async submitToPharmacy(input: SubmissionInput): Promise<PharmacyOrder> {
    return waitingOutOwn(deps.ownOutageMinutes, async () => {
      const { signatureId } = input.prescriber;
      const signature = signatureId === undefined ? undefined : await findSignature(deps.sql, signatureId);
      const answer = await deps.router.submit(
        asSubmission(input, signature, deps.publicUrl, await clientOf(deps.sql, input.sourceOrderId)),
        callLimits(),
      );
      if (!('rejection' in answer)) return answer;
      const { rejection, status, unknownId = null } = answer;
      const outcome: OrderOutcome = { unknownId, ...(status === 409 && { isEarlier: true }) };
      const isAsked = status === 502 || unknownId !== null;
      throw permanentFailure(failureTypes.rejected, rejection, ...(isAsked ? [outcome] : []));
    });
  },
});

export type PharmacyActivities = ReturnType<typeof createPharmacyActivities>;

/** Builds the router's request from the results of steps 1 to 3 (D30). */
function asSubmission(
  input: SubmissionInput,
  signatureBase64: string | undefined,
  publicUrl: string,
  client: string,
): PrescriptionSubmission {
  const { patient, prescriber, config, dosage, pharmacy } = input;
  const { firstName, lastName, dob, gender, phone, email, address } = patient;
  const { line1: addressLine1, line2: addressLine2, city, state, zip } = address;
  const { firstName: prescriberFirstName, lastName: prescriberLastName, npi } = prescriber;
  const { daysSupply, refills, clinicalJustification } = config;
  return {
    source: sourceOf(client),
    sourceOrderId: ownTaskId(input.sourceOrderId),
    // A callback says nothing of the source.
    callbackUrl: `${publicUrl}/api/pharmacy-router/callback${client === '' ? '' : `?client=${client}`}`,
    patient: { firstName, lastName, dob, gender, phone, email },
    shipTo: { firstName, lastName, phone, addressLine1, addressLine2, city, state, zip },
    prescriber: { firstName: prescriberFirstName, lastName: prescriberLastName, npi, signatureBase64 },
    medication: {
      ...orderedMedication(config),
      sig: dosage ?? config.sig,
      quantity: Number(config.quantity),
      daysSupply,
      refills,
      note: config.concentrationWarning ? concentrationNote : undefined,
      clinicalJustification: clinicalJustification ?? undefined,
    },
    routing: pharmacy && { preferredPharmacy: pharmacy },
  };
}

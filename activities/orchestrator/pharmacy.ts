import type { Sql } from '../../db/client.js';
import { findSignature } from '../../db/orchestrator/prescriber-signatures.js';
import { failureTypes } from '../../domain/failures.js';
import { concentrationNote, type MedicationConfig } from '../../domain/orchestrator/medications.js';
import type { Pharmacy } from '../../domain/pharmacies.js';
import type { PatientDetails } from '../../domain/orderable-patient.js';
import type { ResolvedPrescriber } from '../../domain/orchestrator/prescribers.js';
import type { PrescriptionSubmission, RouterClient } from '../../integrations/router/client.js';
import { callLimits } from '../call-limits.js';
import { permanentFailure, waitingOutOwn } from '../failures.js';

export interface SubmissionInput {
  sourceOrderId: string;
  /** Asked for by name, whatever the patient's state (D105). */
  pharmacy?: Pharmacy | undefined;
  patient: PatientDetails;
  prescriber: ResolvedPrescriber;
  /** The catalog key: its text chooses the pharmacy's article. */
  medication: string;
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
  /** How long an outage of the router is waited out. */
  ownOutageMinutes: number;
}

/** Goes with a `Rejected` failure where the order may exist all the same (D21): the router is finding out (D114). */
export interface UnknownOrder {
  /** The submission. */
  unknownId: string;
}

export const createPharmacyActivities = (deps: PharmacyDependencies) => ({
  /**
   * Step 4: hands the prescription to the router, which finds the pharmacy and answers for it.
   * @throws Rejected with the router's text when it is final, and an {@link UnknownOrder} where nobody knows of the order
   *
   * Safe to retry: the router knows an order by its reference and answers a repeat with the first answer (D21); the
   * signature is the one kept by step 3, so every attempt hands over the same.
   */
  async submitToPharmacy(input: SubmissionInput): Promise<PharmacyOrder> {
    return waitingOutOwn(deps.ownOutageMinutes, async () => {
      const { signatureId } = input.prescriber;
      const signature = signatureId === undefined ? undefined : await findSignature(deps.sql, signatureId);
      const answer = await deps.router.submit(asSubmission(input, signature, deps.publicUrl), callLimits());
      if (!('refusal' in answer)) return answer;
      const { refusal, unknownId } = answer;
      const unknown = unknownId === undefined ? [] : [{ unknownId } satisfies UnknownOrder];
      throw permanentFailure(failureTypes.rejected, refusal, ...unknown);
    });
  },
});

export type PharmacyActivities = ReturnType<typeof createPharmacyActivities>;

/** The router's request out of what steps 1 to 3 found (D30). */
function asSubmission(
  input: SubmissionInput,
  signatureBase64: string | undefined,
  publicUrl: string,
): PrescriptionSubmission {
  const { sourceOrderId, patient, prescriber, medication, config, dosage, pharmacy } = input;
  const { firstName, lastName, dob, gender, phone, email, address } = patient;
  const { line1: addressLine1, line2: addressLine2, city, state, zip } = address;
  const { firstName: prescriberFirstName, lastName: prescriberLastName, npi } = prescriber;
  const { daysSupply, refills, clinicalJustification } = config;
  return {
    source: 'orchestrator',
    sourceOrderId,
    callbackUrl: `${publicUrl}/api/pharmacy-router/callback`,
    patient: { firstName, lastName, dob, gender, phone, email },
    shipTo: { firstName, lastName, phone, addressLine1, addressLine2, city, state, zip },
    prescriber: { firstName: prescriberFirstName, lastName: prescriberLastName, npi, signatureBase64 },
    medication: {
      name: medication,
      sig: dosage ?? config.sig,
      quantity: Number(config.quantity),
      daysSupply,
      refills,
      note: config.concentrationWarning ? concentrationNote : undefined,
      clinicalJustification,
    },
    routing: pharmacy && { preferredPharmacy: pharmacy },
  };
}

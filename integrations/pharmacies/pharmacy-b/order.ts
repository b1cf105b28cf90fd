import type { HoldAnswer } from '../../../domain/router/holds.js';
import type { ClinicalFacts, PrescriptionSubmission } from '../../../domain/router/submission.js';

/** The prescription in the pharmacy's own fields. @param reference our reference, the submission's id */
export function toOrder(reference: string, catalogId: string, submission: PrescriptionSubmission) {
  const { patient, shipTo, prescriber, medication, clinical } = submission;
  return {
    reference,
    catalogId,
    quantity: medication.quantity,
    daysSupply: medication.daysSupply,
    refills: medication.refills,
    directions: medication.sig,
    note: medication.note,
    justification: medication.clinicalJustification,
    billTo: clinical?.billTo ?? 'practice',
    patient: {
      firstName: patient.firstName,
      lastName: patient.lastName,
      birthDate: patient.dob,
      gender: patient.gender,
      phone: patient.phone,
      email: patient.email,
    },
    shipping: toAddress(shipTo),
    prescriber: {
      firstName: prescriber.firstName,
      lastName: prescriber.lastName,
      npi: prescriber.npi,
      dea: prescriber.deaNumber,
      license: prescriber.licenseNumber,
      licenseState: prescriber.licenseState,
      phone: prescriber.phone,
      fax: prescriber.fax,
      email: prescriber.email,
      address: prescriber.address && {
        line1: prescriber.address.line1,
        city: prescriber.address.city,
        state: prescriber.address.state,
        zip: prescriber.address.zip,
      },
    },
    signedPrescriptionImage: prescriber.signatureBase64,
    allergies: described(clinical?.allergies),
    diseases: described(clinical?.conditions),
    medications: described(clinical?.medications),
  };
}

const toAddress = (shipTo: PrescriptionSubmission['shipTo']) => ({
  firstName: shipTo.firstName,
  lastName: shipTo.lastName,
  phone: shipTo.phone,
  address1: shipTo.addressLine1,
  address2: shipTo.addressLine2,
  city: shipTo.city,
  state: shipTo.state.toUpperCase(),
  zip: shipTo.zip,
});

/** An answer to a hold, with its changes in the pharmacy's own fields (D100). */
export function toHoldAnswer({ changes, ...answer }: HoldAnswer) {
  if (!changes) return answer;
  const { sig: directions, shipTo, ...rest } = changes;
  return { ...answer, changes: { ...rest, directions, shipping: shipTo && toAddress(shipTo) } };
}

const described = (facts: ClinicalFacts | undefined): { description: string }[] | undefined =>
  facts?.entries?.map((description) => ({ description }));

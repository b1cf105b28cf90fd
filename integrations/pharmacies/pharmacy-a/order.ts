import type { HoldAnswer } from '../../../domain/router/holds.js';
import type { PrescriptionSubmission } from '../../../domain/router/submission.js';

/** The order in the pharmacy's own fields. @param externalId our reference, the submission's id */
export function toOrder(externalId: string, sku: string, submission: PrescriptionSubmission) {
  const { patient, shipTo, prescriber, medication } = submission;
  return {
    externalId,
    sku,
    quantity: medication.quantity,
    daysSupply: medication.daysSupply,
    refills: medication.refills,
    sig: medication.sig,
    note: medication.note,
    justification: medication.clinicalJustification,
    patient: {
      firstName: patient.firstName,
      lastName: patient.lastName,
      dob: patient.dob,
      gender: patient.gender === 'male' ? 'm' : 'f',
      phone: patient.phone,
      email: patient.email,
    },
    shipTo: toAddress(shipTo),
    prescriber: {
      firstName: prescriber.firstName,
      lastName: prescriber.lastName,
      npi: prescriber.npi,
      deaNumber: prescriber.deaNumber,
      licenseNumber: prescriber.licenseNumber,
      licenseState: prescriber.licenseState,
      phone: prescriber.phone,
      fax: prescriber.fax,
      email: prescriber.email,
    },
  };
}

const toAddress = (shipTo: PrescriptionSubmission['shipTo']) => ({
  firstName: shipTo.firstName,
  lastName: shipTo.lastName,
  phone: shipTo.phone,
  line1: shipTo.addressLine1,
  line2: shipTo.addressLine2,
  city: shipTo.city,
  state: shipTo.state.toUpperCase(),
  zip: shipTo.zip,
});

/** An answer to a hold, with its changes in the pharmacy's own fields (D100). */
export const toHoldAnswer = ({ changes, ...answer }: HoldAnswer) => ({
  ...answer,
  ...(changes && {
    changes: { ...changes, shipTo: changes.shipTo && toAddress(changes.shipTo) },
  }),
});

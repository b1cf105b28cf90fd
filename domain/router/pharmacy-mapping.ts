import type { HoldAnswer } from './holds.js';
import { adapterOf, type Pharmacy } from './pharmacy-routing.js';
import type { ClinicalFacts, PrescriptionSubmission } from './submission.js';

const catalog = ['semaglutide', 'tirzepatide', 'nad'] as const;
export type CatalogMedication = (typeof catalog)[number];

const pharmacyASkus: Record<CatalogMedication, string> = {
  semaglutide: '12565',
  tirzepatide: '12850',
  nad: '12832',
};
/** Sent for a medication that pharmacy_a has no SKU for; the pharmacy rejects it. */
const unknownSku = 'UNKNOWN_SKU';

/** The medication that a free text names: the first catalog name in it, whatever the case. */
export const catalogMedication = (name: string): CatalogMedication | undefined =>
  catalog.find((medication) => name.toLowerCase().includes(medication));

/** Whether a pharmacy has an article for a medication, by its free text, as far as we know its articles (D105, D106). */
export const hasArticle = (pharmacy: Pharmacy, name: string, catalogIds: CatalogIds): boolean =>
  adapterOf(pharmacy) === 'pharmacy_b'
    ? pharmacyBCatalogId(name, catalogIds) !== undefined
    : catalogMedication(name) !== undefined;

export type PharmacyAOrder = ReturnType<typeof toPharmacyAOrder>;
export type PharmacyBOrder = ReturnType<typeof toPharmacyBOrder>;

/** pharmacy_a's native order. @param externalId our reference, the submission's id */
export function toPharmacyAOrder(externalId: string, submission: PrescriptionSubmission) {
  const { patient, shipTo, prescriber, medication } = submission;
  const known = catalogMedication(medication.name);
  return {
    externalId,
    sku: known === undefined ? unknownSku : pharmacyASkus[known],
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
    shipTo: toPharmacyAAddress(shipTo),
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

/** pharmacy_b's native prescription. @param reference our reference, the submission's id */
export function toPharmacyBOrder(reference: string, catalogId: string, submission: PrescriptionSubmission) {
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
    shipping: toPharmacyBAddress(shipTo),
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

const toPharmacyAAddress = (shipTo: PrescriptionSubmission['shipTo']) => ({
  firstName: shipTo.firstName,
  lastName: shipTo.lastName,
  phone: shipTo.phone,
  line1: shipTo.addressLine1,
  line2: shipTo.addressLine2,
  city: shipTo.city,
  state: shipTo.state.toUpperCase(),
  zip: shipTo.zip,
});

const toPharmacyBAddress = (shipTo: PrescriptionSubmission['shipTo']) => ({
  firstName: shipTo.firstName,
  lastName: shipTo.lastName,
  phone: shipTo.phone,
  address1: shipTo.addressLine1,
  address2: shipTo.addressLine2,
  city: shipTo.city,
  state: shipTo.state.toUpperCase(),
  zip: shipTo.zip,
});

/** An answer to a hold of pharmacy_a, what is changed in its own fields (D100). */
export const toPharmacyAHoldAnswer = ({ changes, ...answer }: HoldAnswer) => ({
  ...answer,
  ...(changes && {
    changes: { ...changes, shipTo: changes.shipTo && toPharmacyAAddress(changes.shipTo) },
  }),
});

/** The same of pharmacy_b. */
export function toPharmacyBHoldAnswer({ changes, ...answer }: HoldAnswer) {
  if (!changes) return answer;
  const { sig: directions, shipTo, ...rest } = changes;
  return { ...answer, changes: { ...rest, directions, shipping: shipTo && toPharmacyBAddress(shipTo) } };
}

const described = (facts: ClinicalFacts | undefined): { description: string }[] | undefined =>
  facts?.entries?.map((description) => ({ description }));

/** pharmacy_b's id of each medication that it carries. */
export interface CatalogIds {
  semaglutide: string | undefined;
  tirzepatide: string | undefined;
}

/** pharmacy_b's id of the medication that a free text names; undefined where it does not carry it (D20). */
export function pharmacyBCatalogId(name: string, catalogIds: CatalogIds): string | undefined {
  const medication = catalogMedication(name);
  return medication && medication !== 'nad' ? catalogIds[medication] : undefined;
}

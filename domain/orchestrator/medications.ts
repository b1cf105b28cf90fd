export interface MedicationConfig {
  displayName: string;
  /** Directions to the patient; a `dosage` in the approval replaces them. */
  sig: string;
  quantity: string;
  unit: string;
  refills: number;
  daysSupply: number;
  /** Charged when no plan price was saved with the patient's card. */
  priceCents: number;
  sku?: string;
  /** The pharmacy's note asks to verify the vial's concentration. */
  concentrationWarning?: boolean;
  /** Why a patient needs it, for pharmacies that require a reason; only stored configurations have it. */
  clinicalJustification?: string;
}

/** Page 1, medication config; days supply by D30, prices are this product's list prices. */
const medications: Readonly<Record<string, MedicationConfig>> = {
  semaglutide: {
    displayName: 'Semaglutide 5mg/mL',
    quantity: '2',
    unit: 'mL',
    sig: 'inject 10 units (0.25mg) SQ weekly',
    refills: 3,
    daysSupply: 30,
    priceCents: 29_900,
    sku: '12565',
    concentrationWarning: true,
  },
  tirzepatide: {
    displayName: 'Tirzepatide 16.75mg-5mg/mL',
    quantity: '2',
    unit: 'mL',
    sig: 'inject 24 units (4mg) SQ weekly',
    refills: 3,
    daysSupply: 30,
    priceCents: 39_900,
    sku: '12850',
    concentrationWarning: true,
  },
  nad: {
    displayName: 'NAD+ 200mg/mL',
    quantity: '5',
    unit: 'mL',
    sig: 'inject subcutaneously as directed',
    refills: 3,
    daysSupply: 30,
    priceCents: 19_900,
    sku: '12832',
    concentrationWarning: false,
  },
};

/** The pharmacy's note if `concentrationWarning` is set (D30). */
export const concentrationNote = 'Verify the concentration on the vial before drawing the dose.';

/** The static entry of a key, which must match exactly (page 1, Medication config). */
export const staticMedication = (key: string): MedicationConfig | undefined =>
  Object.hasOwn(medications, key) ? medications[key] : undefined;

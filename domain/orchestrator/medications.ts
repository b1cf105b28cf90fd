/** A medication as `GET /orchestrator/medications` lists it (page 1, Medication config; D123). */
export interface MedicationConfig {
  key: string;
  displayName: string;
  /** Directions to the patient; a `dosage` in the approval replaces them. */
  sig: string;
  /** A positive decimal. */
  quantity: string;
  unit: string;
  refills: number;
  daysSupply: number;
  /** Charged when no plan price was saved with the patient's card. */
  priceCents: number;
  /** The pharmacy's note asks to verify the vial's concentration. */
  concentrationWarning: boolean;
  /** Only shown: the articles of the pharmacies decide (D124). */
  sku: string | null;
  treatment: string | null;
  indication: string | null;
  /** Why a patient needs it, for pharmacies that require a reason. */
  clinicalJustification: string | null;
  /** An inactive medication takes no approvals and no schedules; refills continue. */
  isActive: boolean;
  source: 'built_in' | 'stored';
}

const builtIn = {
  unit: 'mL',
  refills: 3,
  daysSupply: 30,
  treatment: null,
  indication: null,
  clinicalJustification: null,
  isActive: true,
  source: 'built_in' as const,
};

/** Page 1, Medication config; days supply by D30, prices are this product's list prices. */
export const builtInMedications: readonly MedicationConfig[] = [
  {
    ...builtIn,
    key: 'semaglutide',
    displayName: 'Semaglutide 5mg/mL',
    quantity: '2',
    sig: 'inject 10 units (0.25mg) SQ weekly',
    priceCents: 29_900,
    sku: '12565',
    concentrationWarning: true,
  },
  {
    ...builtIn,
    key: 'tirzepatide',
    displayName: 'Tirzepatide 16.75mg-5mg/mL',
    quantity: '2',
    sig: 'inject 24 units (4mg) SQ weekly',
    priceCents: 39_900,
    sku: '12850',
    concentrationWarning: true,
  },
  {
    ...builtIn,
    key: 'nad',
    displayName: 'NAD+ 200mg/mL',
    quantity: '5',
    sig: 'inject subcutaneously as directed',
    priceCents: 19_900,
    sku: '12832',
    concentrationWarning: false,
  },
];

/** The pharmacy's note if `concentrationWarning` is set (D30). */
export const concentrationNote = 'Verify the concentration on the vial before drawing the dose.';

/** The built-in medication of a key, which must match exactly (page 1, Medication config). */
export const builtInMedication = (key: string): MedicationConfig | undefined =>
  builtInMedications.find((medication) => medication.key === key);

/**
 * How the router learns which medication to order (D124). A stored medication goes by its display name, so that the
 * strength in it is checked.
 */
export const orderedMedication = ({
  key,
  displayName,
  source,
}: Pick<MedicationConfig, 'key' | 'displayName' | 'source'>): { name: string; key: string } => ({
  name: source === 'stored' ? displayName : key,
  key,
});

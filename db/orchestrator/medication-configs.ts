import { type MedicationConfig, staticMedication } from '../../domain/orchestrator/medications.js';
import type { Queryable } from '../client.js';

type Stored = Omit<MedicationConfig, 'clinicalJustification'> & { clinicalJustification: string | null };

/** The configuration stored by an operator, else the built-in one (D31). */
export async function findMedicationConfig(
  sql: Queryable,
  type: string,
): Promise<MedicationConfig | undefined> {
  const [row] = await sql<Stored[]>`
    select drug_name as display_name, sig, trim_scale(quantity_ml)::text as quantity, 'mL' as unit, refills,
      days_supply, price_cents, clinical_justification
    from orchestrator.medication_config
    where type = ${type}
  `;
  if (!row) return staticMedication(type);
  const { clinicalJustification, ...config } = row;
  return { ...config, ...(clinicalJustification === null ? {} : { clinicalJustification }) };
}

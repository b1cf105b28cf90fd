import type { MedicationConfig } from '../../domain/medications.js';
import type { Queryable } from '../client.js';

/** The configuration an operator has stored under this key, if any (D31). */
export async function findMedicationConfig(
  sql: Queryable,
  type: string,
): Promise<MedicationConfig | undefined> {
  const [config] = await sql<MedicationConfig[]>`
    select drug_name as display_name, sig, trim_scale(quantity_ml)::text as quantity, 'mL' as unit, refills,
      days_supply, price_cents
    from orchestrator.medication_config
    where type = ${type}
  `;
  return config;
}

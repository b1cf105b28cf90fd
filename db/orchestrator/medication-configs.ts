import {
  builtInMedication,
  builtInMedications,
  type MedicationConfig,
} from '../../domain/orchestrator/medications.js';
import { first, type Queryable } from '../client.js';

/** A stored medication, which replaces a built-in one of the same key (D31, D123). */
export type StoredMedication = Omit<MedicationConfig, 'source'>;

const columns = (sql: Queryable) => sql`
  type as key, drug_name as display_name, sig, trim_scale(quantity_ml)::text as quantity, unit, refills, days_supply,
  price_cents, concentration_warning, sku, treatment, indication, clinical_justification, is_active,
  'stored' as source
`;

/** The medication of a key, inactive ones too: the stored one, else the built-in one. */
export async function findMedicationConfig(
  sql: Queryable,
  key: string,
): Promise<MedicationConfig | undefined> {
  const stored = await first(sql<MedicationConfig[]>`
    select ${columns(sql)} from orchestrator.medication_config where type = ${key}
  `);
  return stored ?? builtInMedication(key);
}

/** The medication that an approval or a new schedule may name. */
export async function findActiveMedication(
  sql: Queryable,
  key: string,
): Promise<MedicationConfig | undefined> {
  const medication = await findMedicationConfig(sql, key);
  return medication?.isActive === true ? medication : undefined;
}

/** All medications by key. */
export async function listMedicationConfigs(sql: Queryable): Promise<MedicationConfig[]> {
  const stored = await sql<MedicationConfig[]>`select ${columns(sql)} from orchestrator.medication_config`;
  const keys = new Set(stored.map(({ key }) => key));
  return [...stored, ...builtInMedications.filter(({ key }) => !keys.has(key))].toSorted((one, other) =>
    one.key < other.key ? -1 : 1,
  );
}

/** Adds or replaces the whole row. */
export async function putMedicationConfig(
  sql: Queryable,
  medication: StoredMedication,
): Promise<MedicationConfig> {
  const { key, displayName, quantity, ...rest } = medication;
  const row = { type: key, drugName: displayName, quantityMl: quantity, ...rest };
  const [stored] = await sql<[MedicationConfig]>`
    insert into orchestrator.medication_config ${sql(row)}
    on conflict (type) do update set
      drug_name = excluded.drug_name, sig = excluded.sig, quantity_ml = excluded.quantity_ml, unit = excluded.unit,
      refills = excluded.refills, days_supply = excluded.days_supply, price_cents = excluded.price_cents,
      concentration_warning = excluded.concentration_warning, sku = excluded.sku, treatment = excluded.treatment,
      indication = excluded.indication, clinical_justification = excluded.clinical_justification,
      is_active = excluded.is_active, updated_at = now()
    returning ${columns(sql)}
  `;
  return stored;
}

/** Removes a stored medication. @returns whether one was stored */
export async function deleteMedicationConfig(sql: Queryable, key: string): Promise<boolean> {
  const { count } = await sql`delete from orchestrator.medication_config where type = ${key}`;
  return count > 0;
}

/** Up to 20 schedules that still send refills of a medication, or may resume to; a plan also in a later phase. */
export async function listSchedulesUsing(sql: Queryable, medication: string): Promise<string[]> {
  const schedules = await sql<{ id: string }[]>`
    (
      select id from orchestrator.refill_schedule
      where medication = ${medication} and status in ('active', 'paused')
      order by id
      limit 20
    )
    union
    (
      select id from orchestrator.plan_phase phase
      join orchestrator.refill_schedule schedule on schedule.id = plan_id
      where phase.medication = ${medication} and sent < fills and status in ('active', 'paused')
      order by id
      limit 20
    )
    order by id
    limit 20
  `;
  return schedules.map(({ id }) => id);
}

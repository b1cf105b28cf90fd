import { type MedicationConfig, staticMedication } from '../../domain/orchestrator/medications.js';
import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';

/** The stored configuration of a medication key, else the static one (D31). */
export const medicationConfigOf = async (
  sql: Sql,
  medication: string,
): Promise<MedicationConfig | undefined> =>
  (await findMedicationConfig(sql, medication)) ?? staticMedication(medication);

import { failureTypes } from '../../domain/failures.js';
import { type MedicationConfig, staticMedication } from '../../domain/medications.js';
import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { refuse } from '../failures.js';

export const createMedicationActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Step 1: the stored configuration of a medication key, else the static one (D31).
   * @throws NotFound `Unknown medication: <key>`
   *
   * Safe to retry: it only reads.
   */
  async loadMedicationConfig({ medication }: { medication: string }): Promise<MedicationConfig> {
    const config = (await findMedicationConfig(sql, medication)) ?? staticMedication(medication);
    if (!config) throw refuse(failureTypes.notFound, `Unknown medication: ${medication}`);
    return config;
  },
});

export type MedicationActivities = ReturnType<typeof createMedicationActivities>;

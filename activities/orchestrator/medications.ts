import { failureTypes } from '../../domain/failures.js';
import { type MedicationConfig, staticMedication } from '../../domain/orchestrator/medications.js';
import type { PipelineStep } from '../../domain/orchestrator/pipeline.js';
import type { Sql } from '../../db/client.js';
import { findMedicationConfig } from '../../db/orchestrator/medication-configs.js';
import { recordProgress } from '../../db/orchestrator/tasks.js';
import { refuse } from '../failures.js';

export const createMedicationActivities = ({ sql }: { sql: Sql }) => ({
  /**
   * Step 1: the stored configuration of a medication key, else the static one (D31). Shows at once that it is done,
   * which spares the run a record of its own while step 2 waits for the EMR (D33).
   * @throws NotFound `Unknown medication: <key>`
   *
   * Safe to retry: it only reads, and a step is shown once.
   */
  async loadMedicationConfig({
    medication,
    runId,
  }: {
    medication: string;
    runId: string;
  }): Promise<MedicationConfig> {
    const config = (await findMedicationConfig(sql, medication)) ?? staticMedication(medication);
    if (!config) throw refuse(failureTypes.notFound, `Unknown medication: ${medication}`);
    await recordProgress(sql, runId, ['medication_config'] satisfies PipelineStep[]);
    return config;
  },
});

export type MedicationActivities = ReturnType<typeof createMedicationActivities>;

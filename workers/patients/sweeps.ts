import {
  abandonCreation,
  listIntentsToLookAt,
  listOpenIntents,
  settleLook,
} from '../../db/patients/creations.js';
import { createMrnClient } from '../../integrations/emr/mrn-client.js';
import { patientCreateWorkflowId } from '../../workflows/ids.js';
import { isRunning } from '../../starts/runs.js';
import type { Sweep, WorkerContext } from '../context.js';
import { eachRow } from '../each-row.js';
import { stalledEvents } from '../publishing.js';

/** Starting a workflow takes less than this. */
const openSeconds = 10;
const searchTimeoutMs = 5_000;

/**
 * The sweeps of the patient directory. They close lost creates, so that every EMR patient has a row or an orphan entry
 * (reliability point 3).
 */
export function patientsSweeps(context: WorkerContext): Sweep[] {
  const { config, sql, temporal, logger } = context;
  const { EMR_BASE_URL, EMR_TOKEN, MRN_SYSTEM_URI } = config.service('patients');
  const emr = createMrnClient({ baseUrl: EMR_BASE_URL, token: EMR_TOKEN, mrnSystemUri: MRN_SYSTEM_URI });

  async function closeEndedCreates(): Promise<void> {
    await eachRow(await listOpenIntents(sql, openSeconds), async ({ id }) => {
      if (await isRunning(temporal, patientCreateWorkflowId(id))) return;
      await abandonCreation(sql, id);
      logger.warn({ patientId: id }, 'closed a create whose workflow was terminated');
    });
  }

  async function recordOrphans(): Promise<void> {
    await eachRow(await listIntentsToLookAt(sql), async ({ id, mrn }) => {
      const emrPatientIds = await emr.findByMrn(mrn, { timeoutMs: searchTimeoutMs });
      const orphans = await settleLook(sql, { id, emrPatientIds });
      if (orphans > 0)
        logger.error({ patientId: id, count: orphans }, 'EMR patients without a directory row');
    });
  }

  return [closeEndedCreates, recordOrphans, stalledEvents(context, 'patients')];
}

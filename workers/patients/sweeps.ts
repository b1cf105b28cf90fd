import {
  abandonCreation,
  listIntentsToLookAt,
  listOpenIntents,
  settleLook,
} from '../../db/patients/creations.js';
import { createMrnClient } from '../../integrations/emr/mrn-client.js';
import { patientCreateWorkflowId } from '../../workflows/ids.js';
import type { WorkerContext } from '../context.js';
import { isRunning } from '../../starts/begin.js';
import { sweepEvery } from '../sweep-every.js';

/** Two queries of partial indexes, mostly empty. */
const sweepEveryMs = 10_000;
/** Longer than the start of a run takes. */
const openSeconds = 10;
const searchTimeoutMs = 5_000;

/**
 * Settles the creates of patients that were left behind, so that the EMR holds none that nobody has a row or an orphan
 * entry for (reliability point 3). Runs in every worker of the directory; that two may look at the same create does no
 * harm.
 * @returns a function that stops it
 */
export function sweepCreations({ config, sql, temporal, logger }: WorkerContext): () => Promise<void> {
  const { EMR_BASE_URL, EMR_TOKEN, MRN_SYSTEM_URI } = config.service('patients');
  const emr = createMrnClient({ baseUrl: EMR_BASE_URL, token: EMR_TOKEN, mrnSystemUri: MRN_SYSTEM_URI });
  return sweepEvery({ everyMs: sweepEveryMs, what: 'creates', logger }, sweep);

  async function sweep(): Promise<void> {
    for (const { id } of await listOpenIntents(sql, openSeconds)) {
      if (await isRunning(temporal, patientCreateWorkflowId(id))) continue;
      await abandonCreation(sql, id);
      logger.warn({ patientId: id }, 'closed a create whose run was ended from outside');
    }
    for (const { id, mrn } of await listIntentsToLookAt(sql)) {
      const emrPatientIds = await emr.findByMrn(mrn, { timeoutMs: searchTimeoutMs });
      const orphans = await settleLook(sql, { id, emrPatientIds });
      if (orphans > 0)
        logger.error({ patientId: id, count: orphans }, 'EMR patients without a directory row');
    }
  }
}

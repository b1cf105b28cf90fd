import { createIntakePatientActivities } from '../../activities/intake/emr-patients.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import type { WorkerContext } from '../context.js';

/** What the intakeEmr queue runs: finding or making patients in the EMR. */
export const intakeEmrActivities = ({ config, sql }: WorkerContext) => {
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  return createIntakePatientActivities({ sql, emr: createEmrClient({ baseUrl, token }) });
};

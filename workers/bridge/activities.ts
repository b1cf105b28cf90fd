import { createEgressActivities } from '../../activities/bridge/egress.js';
import { nudgeSync } from '../../starts/bridge.js';
import { listDueSyncs } from '../../db/bridge/sync-attempts.js';
import { createPatientStatusClient } from '../../integrations/emr/patient-status.js';
import type { WorkerContext } from '../context.js';
import { publisherActivities } from '../event-consumer.js';
import { eventSourceActivities } from '../event-source.js';

/** Nothing that is well is that late: an attempt takes at most 25 s. */
const overdueSeconds = 30;
const maxNudges = 500;

/** What the bridge queue runs. */
export function bridgeActivities(context: WorkerContext) {
  const { config, sql, temporal, logger } = context;
  const own = config.service('bridge');

  /** Sync attempts whose run was ended from outside, or never started. */
  async function nudgeDueSyncs(): Promise<void> {
    for (const id of await listDueSyncs(sql, { overdueSeconds, limit: maxNudges }))
      await nudgeSync(temporal, id);
  }

  return {
    ...createEgressActivities({
      sql,
      emr: createPatientStatusClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN }),
      logger,
    }),
    ...eventSourceActivities(context, 'bridge', [nudgeDueSyncs]),
    ...publisherActivities(context, own, 'bridge'),
  };
}

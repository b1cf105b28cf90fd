import { createEgressActivities } from '../../activities/bridge/egress.js';
import { createEventActivities } from '../../activities/events/deliveries.js';
import { createPatientStatusClient } from '../../integrations/emr/change-patient.js';
import type { WorkerContext } from '../context.js';
import { eventSink } from '../publishing.js';
import { bridgeEvents } from './events.js';

export function bridgeActivities(context: WorkerContext) {
  const { config, sql, logger } = context;
  const own = config.service('bridge');
  return {
    ...createEgressActivities({
      sql,
      emr: createPatientStatusClient({ baseUrl: own.EMR_BASE_URL, token: own.EMR_TOKEN }),
      logger,
    }),
    ...createEventActivities(sql, 'bridge', { bridge: bridgeEvents(context), sink: eventSink(own) }),
  };
}

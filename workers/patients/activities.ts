import { randomBytes } from 'node:crypto';
import { createEventActivities } from '../../activities/events/deliveries.js';
import { createPatientCreationActivities } from '../../activities/patients/creations.js';
import { createMrnActivities } from '../../activities/patients/emr.js';
import { createMrnClient } from '../../integrations/emr/mrn-client.js';
import type { WorkerContext } from '../context.js';
import { eventSink } from '../publishing.js';
import { patientsEvents } from './events.js';

export const patientsActivities = (context: WorkerContext) => {
  const settings = context.config.service('patients');
  const mrnSystemUri = settings.MRN_SYSTEM_URI;
  const emr = createMrnClient({ baseUrl: settings.EMR_BASE_URL, token: settings.EMR_TOKEN, mrnSystemUri });
  return {
    ...createPatientCreationActivities({ sql: context.sql, randomBytes }),
    ...createMrnActivities({ emr, mrnSystemUri }),
    ...createEventActivities(context.sql, 'patients', {
      patients: patientsEvents(context),
      sink: eventSink(settings),
    }),
  };
};

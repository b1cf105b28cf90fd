import { createEventActivities } from '../../activities/events/deliveries.js';
import { createIntakePatientActivities } from '../../activities/intake/emr-patients.js';
import { createIntakeMailActivities } from '../../activities/intake/mails.js';
import { createIntakeActivities } from '../../activities/intake/submissions.js';
import { createEmrClient } from '../../integrations/emr/client.js';
import { createNotificationClient } from '../../integrations/notification/client.js';
import { patientFinder } from '../../starts/intake.js';
import type { WorkerContext } from '../context.js';
import { intakeEvents } from './events.js';

export const intakeActivities = (context: WorkerContext) => {
  const own = context.config.service('intake');
  return {
    ...createEventActivities(context.sql, 'intake', { intake: intakeEvents(context) }),
    ...createIntakeActivities({
      sql: context.sql,
      findOrCreatePatient: patientFinder(context.temporal, own.ID_HASH_SECRET),
    }),
    ...createIntakeMailActivities({
      sql: context.sql,
      notifications: createNotificationClient({
        party: 'Notification service',
        baseUrl: own.NOTIFICATION_URL,
        keyId: own.INTAKE_API_KEY,
        secret: own.INTAKE_API_SECRET,
      }),
      formUrl: own.INTAKE_FORM_URL,
    }),
  };
};

export const intakeEmrActivities = ({ config, sql }: WorkerContext) => {
  const { EMR_BASE_URL: baseUrl, EMR_TOKEN: token } = config.service('intake');
  return createIntakePatientActivities({ sql, emr: createEmrClient({ baseUrl, token }) });
};

import { createIntakeMailActivities } from '../../activities/intake/mails.js';
import { createIntakeActivities } from '../../activities/intake/submissions.js';
import { createNotificationClient } from '../../integrations/notification/client.js';
import type { WorkerContext } from '../context.js';
import { subscriberActivities } from '../event-consumer.js';
import { eventSourceActivities } from '../event-source.js';
import { patientFinder } from '../../starts/intake.js';
import { intakeSweeps } from './sweeps.js';

/** What the intake queue runs. */
export const intakeActivities = (context: WorkerContext) => {
  const own = context.config.service('intake');
  return {
    ...eventSourceActivities(context, 'intake', intakeSweeps(context)),
    ...subscriberActivities(context, 'intake'),
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

import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import type { PatientActivities } from '../../activities/orchestrator/patients.js';
import { localFirst, ownServices } from '../proxies.js';

/** A call outlasts the channels' own 10 s (D70); the heartbeat detects a lost worker early. */
export const notifying = ownServices<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
});

/** Reads the patient for a best-effort notification: the EMR gets about 12 s. */
export const patientBriefly = localFirst<PatientActivities>({
  startToCloseTimeout: '3500 ms',
  retry: { maximumAttempts: 3, initialInterval: '500 ms' },
});

/** Reads the patient in a run that no caller waits for: retries for about an hour. */
export const patientLater = localFirst<PatientActivities>({
  startToCloseTimeout: '5500 ms',
  retry: { maximumAttempts: 20, maximumInterval: '5 minutes' },
});

/** Waits until no other run holds the task, however long that takes. */
export const taskTurn = <A>() =>
  localFirst<A>({
    startToCloseTimeout: '15 s',
    retry: { initialInterval: '250 ms', maximumInterval: '2 s' },
  });

import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import { ownServices } from '../proxies.js';

/** A call outlasts the channels' own 10 s (D70); the heartbeat notices a lost worker early. */
export const notifying = ownServices<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
});

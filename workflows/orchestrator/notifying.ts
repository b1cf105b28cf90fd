import type { NotificationActivities } from '../../activities/orchestrator/notifications.js';
import { ordinary } from '../proxies.js';

/** One call that outlasts the channels' own 10 s, or a few quick refusals: about 12 s (D34). */
export const notifying = ordinary<NotificationActivities>({
  startToCloseTimeout: '13 s',
  heartbeatTimeout: '8 s',
  retry: { maximumAttempts: 4, initialInterval: '1 s' },
});

/** `pharmacy_c` as a person reads it: `Pharmacy C`. */
export const pharmacyName = (pharmacy: string): string =>
  pharmacy.replace(/^pharmacy_(\w)$/, (_match, letter: string) => `Pharmacy ${letter.toUpperCase()}`);

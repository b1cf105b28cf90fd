import { z } from 'zod';
import { detailOf, type EventHandler } from '../activities/events/deliveries.js';
import { noteVersion } from '../db/admin-sessions.js';
import type { ServiceName } from '../platform/service-names.js';
import type { WorkerContext } from './context.js';

const endedSessions = z.object({ adminUserId: z.string(), ver: z.number().int() });

/**
 * What every service that takes admins' tokens does when sessions end: it refuses tokens issued before that from now
 * on (D72). Idempotent: the highest counter counts.
 */
export function sessionEvents({ sql }: WorkerContext, service: ServiceName) {
  const end: EventHandler = async (event) => {
    const { adminUserId, ver } = detailOf(event, endedSessions);
    await noteVersion(sql, service, { adminId: adminUserId, ver });
  };
  return { 'admin.membership_revoked': end, 'admin.user_suspended': end, 'admin.user_signed_out': end };
}

import { z } from 'zod';
import { detailOf, type EventHandler } from '../activities/events/deliveries.js';
import { noteVersion } from '../db/admin-sessions.js';
import type { ServiceName } from '../platform/service-names.js';
import type { WorkerContext } from './context.js';

const endedSessions = z.object({ adminUserId: z.string(), ver: z.number().int() });

/**
 * Handles `admin.sessions_ended` in every service that accepts admin tokens: tokens with a lower counter are rejected
 * from now on (D72). Idempotent: the highest counter counts.
 */
export function sessionEvents({ sql }: WorkerContext, service: ServiceName) {
  const end: EventHandler = async (event) => {
    const { adminUserId, ver } = detailOf(event, endedSessions);
    await noteVersion(sql, service, { adminId: adminUserId, ver });
  };
  return {
    'admin.membership_revoked': end,
    'admin.operator_revoked': end,
    'admin.user_suspended': end,
    'admin.user_signed_out': end,
  };
}

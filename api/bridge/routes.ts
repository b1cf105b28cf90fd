import { reviveSyncAttempt } from '../../db/bridge/sync-attempts.js';
import { recheckSync } from '../../starts/bridge.js';
import type { ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { admitsKnown } from '../plugins/admin-sessions.js';
import { registerOutboxWorkers } from '../plugins/outbox-workers.js';
import { registerWorkItemAnswers } from '../plugins/work-items.js';
import { ingressRoutes } from './ingress-routes.js';
import { syncAttemptRoutes } from './sync-attempt-routes.js';
import { webhookEventRoutes } from './webhook-event-routes.js';

/** The EMR bridge (page 3, EMR bridge). */
export const bridgeRoutes: ServiceRoutes = async (app, context) => {
  await ingressRoutes(app, context);
  await registerWorkItemAnswers(app, context, {
    schema: 'bridge',
    path: '/work-items',
    encryptionKeys: context.config.service('bridge').SECRET_ENCRYPTION_KEYS,
    handlers: {
      emr_sync_failed: {
        // A pending attempt has been retried already.
        retry: async ({ item: { fact: id } }) => {
          if (!(await reviveSyncAttempt(context.sql, id))) return 'The sync attempt is gone';
          await recheckSync(context.temporal, id);
          return null;
        },
      },
    },
  });
  await registerAdmin(app, context, { admits: admitsKnown(context, 'bridge') }, (admin) => {
    webhookEventRoutes(admin, context);
    syncAttemptRoutes(admin, context);
    registerOutboxWorkers(admin, context, 'bridge', '');
  });
};

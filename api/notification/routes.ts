import type { ServiceRoutes } from '../context.js';
import { highestKnownVersion } from '../../db/admin-sessions.js';
import { registerAdmin } from '../plugins/admin.js';
import { registerSigned } from '../plugins/signed.js';
import { logRoutes } from './log-routes.js';
import { sendRoutes } from './send-routes.js';
import { templateRoutes } from './template-routes.js';
import { timelineRoutes } from './timeline-routes.js';

/** Page 2, Notification service. Signed clients send; superadmins manage templates, channels and the log (D71). */
export const notificationRoutes: ServiceRoutes = async (app, context) => {
  const { config, sql } = context;
  const encryptionKeys = config.service('notification').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'notification', encryptionKeys }, (signed) => {
    sendRoutes(signed, context);
    timelineRoutes(signed, context);
  });
  await registerAdmin(app, context, { knownVersion: highestKnownVersion(sql, 'notification') }, (admin) => {
    templateRoutes(admin, context);
    logRoutes(admin, context);
  });
};

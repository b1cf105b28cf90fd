import type { ServiceRoutes } from '../context.js';
import { registerAdmin } from '../plugins/admin.js';
import { admitsKnown } from '../plugins/admin-sessions.js';
import { registerSigned } from '../plugins/signed.js';
import { logRoutes } from './log-routes.js';
import { sendAgainRoutes } from './send-again-routes.js';
import { sendRoutes } from './send-routes.js';
import { templateRoutes } from './template-routes.js';
import { timelineRoutes } from './timeline-routes.js';

/** Page 2, Notification service. Signed clients send; superadmins manage templates, channels and the log (D71). */
export const notificationRoutes: ServiceRoutes = async (app, context) => {
  const { config } = context;
  const encryptionKeys = config.service('notification').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'notification', encryptionKeys }, (signed) => {
    sendRoutes(signed, context);
    sendAgainRoutes(signed, context);
    timelineRoutes(signed, context);
  });
  await registerAdmin(app, context, { admits: admitsKnown(context, 'notification') }, (admin) => {
    templateRoutes(admin, context);
    logRoutes(admin, context);
  });
};

import type { ServiceRoutes } from '../context.js';
import { highestKnownVersion } from '../../db/admin-sessions.js';
import { registerAdmin } from '../plugins/admin.js';
import { registerSigned } from '../plugins/signed.js';
import { channelRoutes } from './channel-routes.js';
import {
  invalid,
  refusal,
  unfinished,
  sendAnswer,
  sendFailure,
  sendHeaders,
  sendRequest,
} from './contract.js';
import { logRoutes } from './log-routes.js';
import { answerOf, notificationOf } from './send.js';
import { templateRoutes } from './template-routes.js';

/** Page 2, Notification service: signed clients send, superadmins look after templates, channels and the log (D71). */
export const notificationRoutes: ServiceRoutes = async (app, context) => {
  const { config, sql, temporal } = context;
  const encryptionKeys = config.service('notification').SECRET_ENCRYPTION_KEYS;
  await registerSigned(app, context, { scope: 'notification', encryptionKeys }, (signed) => {
    signed.post(
      '/notify/send',
      {
        schema: {
          tags: ['Notifications'],
          summary: 'Send a notification over its channels',
          description:
            'Answers once every channel was tried. 200 when one delivered or none had to; 502 when all that were tried failed.',
          security: [{ signature: [] }],
          headers: sendHeaders,
          body: sendRequest,
          response: {
            200: sendAnswer,
            400: invalid,
            401: refusal,
            403: refusal,
            409: refusal,
            413: refusal,
            415: refusal,
            429: refusal,
            502: sendFailure,
            503: unfinished,
          },
        },
      },
      ({ apiKey, headers, body }) =>
        answerOf(temporal, notificationOf(apiKey.id, headers['idempotency-key'], body)),
    );
  });
  const knownVersion = (adminId: string) => highestKnownVersion(sql, 'notification', adminId);
  await registerAdmin(app, context, { knownVersion }, (admin) => {
    templateRoutes(admin, context);
    channelRoutes(admin, context);
    logRoutes(admin, context);
  });
};

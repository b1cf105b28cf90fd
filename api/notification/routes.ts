import type { ServiceRoutes } from '../context.js';
import { HttpError } from '../http-error.js';
import { registerSigned } from '../plugins/signed.js';
import { invalid, refusal, sendAnswer, sendFailure, sendHeaders, sendRequest } from './contract.js';
import { notificationOf, resultOf } from './send.js';

/** The notification service (page 2). */
export const notificationRoutes: ServiceRoutes = async (app, context) => {
  const encryptionKeys = context.config.service('notification').SECRET_ENCRYPTION_KEYS;
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
          },
        },
      },
      async ({ apiKey, headers, body }) => {
        const notification = notificationOf(apiKey.id, headers['idempotency-key'], body);
        const { logId } = notification;
        const { status, channels } = await resultOf(context.temporal, notification);
        if (status === 'failed')
          throw new HttpError(502, { success: false, channels, logId, error: 'No channel could deliver' });
        return { success: true as const, channels, logId };
      },
    );
  });
};

import { messageChannelsOf } from '../../integrations/message-channels.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import { sendAnswer, sendFailure, sendHeaders, sendRequest } from './contract.js';
import { logIdOf, notificationOf, sendByRun, sendHere } from './send.js';

/** Sends notifications for signed clients (page 2, Send request; D68). */
export function sendRoutes(signed: App, context: ServiceContext): void {
  const sender = { ...context, channels: messageChannelsOf(context.config) };
  signed.post(
    '/notify/send',
    {
      config: { errorCodes: ['not_delivered'], access: { action: 'notification.send' } },
      schema: {
        tags: ['Notifications'],
        summary: 'Send a notification over its channels',
        description:
          'Answers once every channel has a result: 200 if one delivered or none was required, 502 if all failed. The same signed request, or the same key and body, returns the recorded answer with `Idempotent-Replayed: true`.',
        security: [{ signature: [] }],
        headers: sendHeaders,
        body: sendRequest,
        response: {
          200: sendAnswer,
          ...issueErrors(400, 401, 403, 409, 413, 415, 429),
          502: sendFailure,
        },
      },
    },
    async (request, reply) => {
      const logId = logIdOf(request, request.headers['idempotency-key']);
      const notification = notificationOf({ clientId: request.apiKey.id, logId }, request.body);
      const send = request.apiKey.durable ? sendHere : sendByRun;
      const { answer, headers } = await send(sender, request, notification);
      return reply.headers(headers).send(answer);
    },
  );
}

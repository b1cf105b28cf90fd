import { findNewestRepeatable, findRepeat } from '../../db/notification/deliveries.js';
import type { Variables } from '../../domain/notification/notification-types.js';
import { jsonHash } from '../../platform/crypto/ids.js';
import type { App, ServiceContext } from '../context.js';
import { httpError, issueErrors, notFound } from '../http-errors.js';
import { againAnswer, againRequest, sendFailure, sendHeaders } from './contract.js';
import { logIdOf, logIdOfKey, refuseNobody, sendByRun } from './send.js';

/** Sends the last of a client's messages again, to the contact of now (D135). */
export function sendAgainRoutes(signed: App, { sql, temporal }: ServiceContext): void {
  signed.post(
    '/notify/send-again',
    {
      config: { errorCodes: ['not_delivered'], access: { action: 'notification.send' } },
      schema: {
        tags: ['Notifications'],
        summary: "Send the last of the client's messages again",
        description:
          'Has the type and the variables of the last message, and the name of the recipient of now. A code or a sign-in link is not sent again.',
        security: [{ signature: [] }],
        headers: sendHeaders,
        body: againRequest,
        response: {
          200: againAnswer,
          ...issueErrors(400, 401, 403, 409, 413, 415, 429, 503),
          404: httpError.describe('None of these messages was sent'),
          502: sendFailure,
        },
      },
    },
    async (request, reply) => {
      const { apiKey, body } = request;
      const { keys, recipient, channels } = body;
      refuseNobody(recipient);
      const logId = logIdOf(request, request.headers['idempotency-key']);
      const ids = keys.map((key) => logIdOfKey(apiKey.id, key));
      // A repeat must not take the message that it has sent for the last one.
      const last = (await findRepeat(sql, logId)) ?? (await findNewestRepeatable(sql, apiKey.id, ids));
      if (!last) throw notFound('No message was sent');
      const { notificationType: type, againOf } = last;
      const variables = JSON.parse(last.variables) as Variables;
      const { name } = recipient;
      const { answer, headers } = await sendByRun({ temporal }, request, {
        ...{ logId, clientId: apiKey.id, type, recipient, channels },
        variables: { ...variables, ...(name !== undefined && { patientName: name }) },
        // Whoever the contact is by the time of a repeat, it is the same message.
        bodyHash: jsonHash({ again: logId }),
        againOf: againOf ?? last.id,
      });
      return reply.headers(headers).send({ ...answer, type });
    },
  );
}

import { z } from 'zod';
import { listMessages } from '../../db/notification/timeline.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import { idList, timelinePart } from '../timeline.js';
import { logIdOfKey } from './send.js';

/** The notification service's part of a timeline (D111). */
export function timelineRoutes(signed: App, { sql }: ServiceContext): void {
  signed.post(
    '/notify/timeline',
    {
      config: { access: { action: 'timeline.read' } },
      schema: {
        tags: ['Timeline'],
        security: [{ signature: [] }],
        summary: "Find the client's own messages by their idempotency keys",
        description: 'Returns type and channels, but neither content nor recipient.',
        body: z.object({ keys: idList(500) }).meta({ id: 'MessagesTimelineRequest' }),
        response: { 200: timelinePart, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ apiKey, body: { keys } }) => {
      const messages = await listMessages(
        sql,
        keys.map((key) => logIdOfKey(apiKey.id, key)),
      );
      return {
        entries: messages.map(({ at, notificationType, channels, status }) => ({
          at: at.toISOString(),
          service: 'notification',
          kind: 'message' as const,
          text: [notificationType, ...channels.map(({ channel, status }) => `${channel} ${status}`)].join(
            ', ',
          ),
          state: status ?? 'pending',
          link: null,
        })),
      };
    },
  );
}

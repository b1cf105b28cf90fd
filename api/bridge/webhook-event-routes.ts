import { z } from 'zod';
import { findWebhook, listWebhooks, type WebhookEntry } from '../../db/bridge/webhook-events.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { instant } from '../instant.js';
import { codedErrors, found, idOf } from '../http-errors.js';
import { snakeCased } from '../snake-case.js';
import * as contract from './contract.js';

const common = { tags: ['Ingress'], security: [{ adminToken: [] }] };
const config = { policy: { allows: 'superadmin' } } as const;
const position = z.object({ receivedAt: instant, id: z.uuid() });

/** The log of received EMR webhooks, which contain patient data (page 3, Ingress). */
export function webhookEventRoutes(admin: App, { sql }: ServiceContext): void {
  admin.get(
    '/webhook-events',
    {
      config: { ...config, access: { action: 'webhook.list' } },
      schema: {
        ...common,
        summary: 'List the EMR webhooks without their bodies, newest first',
        querystring: contract.webhookQuery,
        response: {
          200: contract.webhookEvents,
          ...codedErrors(400, 401, 403, 429, 500),
        },
      },
    },
    async ({ query: { limit, cursor, ...filter } }) => {
      const before = decodeCursor(cursor, position);
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listWebhooks(sql, { ...filter, limit, before }),
        ({ receivedAt, id }) => ({ receivedAt, id }),
      );
      return { webhookEvents: page.map(presented), nextCursor };
    },
  );

  admin.get(
    '/webhook-events/:id',
    {
      config: { ...config, access: { action: 'webhook.read', record: 'id' } },
      schema: {
        ...common,
        summary: 'Get a webhook with its body as received',
        params: z.object({ id: z.string() }),
        response: {
          200: contract.webhookEvent,
          ...codedErrors(401, 403, 404, 429, 500),
        },
      },
    },
    async ({ params: { id } }) => {
      const event = found(await findWebhook(sql, idOf(id, 'Webhook event')), 'Webhook event');
      return { webhookEvent: { ...presented(event), ...presentedBody(event.rawBody) } };
    },
  );
}

const presented = ({ truncated, erasedAt, ...event }: WebhookEntry) => ({
  ...snakeCased(event),
  ...(truncated ? { truncated: true as const } : {}),
  ...(erasedAt ? { erasedAt } : {}),
});

/** Text or Base64, so that a reader can restore the exact bytes (D81). */
function presentedBody(body: Buffer): { raw_body: string; raw_body_encoding?: 'base64' } {
  try {
    return { raw_body: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) };
  } catch {
    return { raw_body: body.toString('base64'), raw_body_encoding: 'base64' };
  }
}

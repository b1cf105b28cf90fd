import { z } from 'zod';
import { listOrderEvents } from '../../db/router/timeline.js';
import { reference } from '../../platform/http/text.js';
import type { App, ServiceContext } from '../context.js';
import { fieldErrors } from '../http-errors.js';
import { idList, timelinePart } from '../timeline.js';

/** The router's entries of a timeline (D111). */
export function timelineRoutes(signed: App, { sql }: ServiceContext): void {
  signed.post(
    '/rx/timeline',
    {
      config: { access: { action: 'timeline.read' } },
      schema: {
        tags: ['Timeline'],
        security: [{ signature: [] }],
        summary: "List events of the client's own orders by time",
        description:
          'Orders, updates and holds of their pharmacies, callbacks and cancellations. Events contain codes only.',
        body: z
          .object({ references: idList(420), source: reference.optional() })
          .meta({ id: 'OrdersTimelineRequest' }),
        response: { 200: timelinePart, ...fieldErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ apiKey, body: { references, source } }) => {
      const events = await listOrderEvents(sql, { apiKeyId: apiKey.id, references, source });
      return {
        entries: events.map(({ at, ...event }) => ({
          ...event,
          at: at.toISOString(),
          service: 'router',
          link: null,
        })),
      };
    },
  );
}

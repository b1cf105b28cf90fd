import { z } from 'zod';
import { listDeliveries } from '../../db/notification/deliveries.js';
import type { App, ServiceContext } from '../context.js';
import { decodeCursor, pageOf } from '../cursor.js';
import { issueErrors } from '../http-errors.js';
import { logPage, logQuery } from './contract.js';

/** Sent notifications and their results (page 2, Delivery log; D69). */
export function logRoutes(admin: App, { sql }: ServiceContext): void {
  admin.get(
    '/notify/log',
    {
      config: { policy: { allows: 'superadmin' }, access: { action: 'notification.list' } },
      schema: {
        tags: ['Log'],
        security: [{ adminToken: [] }],
        summary: 'List notifications, newest first',
        description: 'A notification appears once all its channels have a result.',
        querystring: logQuery,
        response: { 200: logPage, ...issueErrors(400, 401, 403, 429) },
      },
    },
    async ({ query: { limit, cursor, ...filter } }) => {
      const after = decodeCursor(cursor, z.uuid());
      const { page, nextCursor } = await pageOf(
        limit,
        (limit) => listDeliveries(sql, { ...filter, after, limit }),
        ({ id }) => id,
      );
      return { entries: page, nextCursor };
    },
  );
}

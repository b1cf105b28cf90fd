import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { redriveDeadDeliveries } from '../../db/event-deliveries.js';
import { redriveDead } from '../../db/outbox.js';
import { outboxTickWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import type { tickOutbox } from '../../workflows/tick-outbox.js';
import type { App, ServiceContext } from '../context.js';

const processed = z.object({ processed: z.number().int().nonnegative() }).meta({ id: 'Processed' });
const redriveWindow = z
  .object({
    from: z.iso.datetime({ offset: true }).describe('When they were given up, earliest'),
    to: z.iso.datetime({ offset: true }).describe('When they were given up, latest'),
  })
  .meta({ id: 'RedriveWindow' });

/** What operators do with the outbox of a service that publishes events (page 3, Endpoints; D84). Superadmins only. */
export function registerOutboxWorkers(
  admin: App,
  { sql, temporal }: ServiceContext,
  service: 'organization' | 'patients' | 'bridge',
  prefix: '' | '/v1',
): void {
  const config = { policy: { allows: 'superadmin' } } as const;
  const security = [{ adminToken: [] }];

  admin.post(
    `${prefix}/admin/workers/outbox/tick`,
    {
      config,
      schema: {
        tags: ['Operation'],
        summary: 'One pass over the outbox, now',
        description:
          'The relay ships what is committed within moments by itself; this waits for one more pass.',
        security,
        response: { 200: processed },
      },
    },
    async () => {
      const answer = await temporal.workflow.execute<typeof tickOutbox>('tickOutbox', {
        workflowId: outboxTickWorkflowId(service, randomUUID()),
        taskQueue: taskQueues[service],
        args: [service],
        staticSummary: `One pass over the outbox of ${service}`,
      });
      return { processed: answer };
    },
  );

  admin.post(
    `${prefix}/admin/workers/outbox/redrive`,
    {
      config,
      schema: {
        tags: ['Operation'],
        summary: 'Drive again what was given up within a window of time',
        security,
        body: redriveWindow,
        response: { 200: processed },
      },
    },
    async ({ body }) => {
      const window = { from: new Date(body.from), to: new Date(body.to) };
      const entries = await redriveDead(sql, service, window);
      return { processed: entries + (await redriveDeadDeliveries(sql, service, window)) };
    },
  );
}

import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { redriveDeadDeliveries } from '../../db/event-deliveries.js';
import { redriveDead } from '../../db/outbox.js';
import { outboxTickWorkflowId } from '../../workflows/ids.js';
import { taskQueues } from '../../workflows/queues.js';
import type { tickOutbox } from '../../workflows/events/tick-outbox.js';
import type { App, ServiceContext } from '../context.js';
import { instant } from '../instant.js';
import { codedErrors, codedRefusal, unavailable } from '../refusals.js';

const processed = z.object({ processed: z.number().int().nonnegative() }).meta({ id: 'Processed' });
const redriveWindow = z
  .object({
    from: instant.describe('When they were given up, earliest'),
    to: instant.describe('When they were given up, latest'),
  })
  .meta({ id: 'RedriveWindow' });

const refusals = codedErrors(400, 401, 403, 413, 415, 429, 500);

/** More than a pass takes that waits for the one under way; beyond it there is no worker, and the pass is made later. */
const answerWithinMs = 15_000;

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
        response: {
          200: processed,
          ...refusals,
          503: codedRefusal.describe('No worker has made the pass yet'),
        },
      },
    },
    async () => {
      const deadline = Date.now() + answerWithinMs;
      try {
        const answer = await temporal.withDeadline(deadline, () =>
          temporal.workflow.execute<typeof tickOutbox>('tickOutbox', {
            workflowId: outboxTickWorkflowId(service, randomUUID()),
            taskQueue: taskQueues[service],
            args: [service],
            staticSummary: `One pass over the outbox of ${service}`,
          }),
        );
        return { processed: answer };
      } catch (error) {
        throw Date.now() >= deadline ? passPending() : error;
      }
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
        response: { 200: processed, ...refusals },
      },
    },
    async ({ body: window }) => {
      const entries = await redriveDead(sql, service, window);
      return { processed: entries + (await redriveDeadDeliveries(sql, service, window)) };
    },
  );
}

/** In the one shape of the services that publish (D5). */
const passPending = () => unavailable('The pass has not been made yet');

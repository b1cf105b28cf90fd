import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isDatabaseAway } from '../../db/client.js';
import { redrive } from '../../db/redrive.js';
import { outboxOf, passOutbox } from '../../starts/outbox.js';
import type { App, ServiceContext } from '../context.js';
import { instant } from '../instant.js';
import { codedErrors, codedHttpError, unavailable } from '../http-errors.js';

const processed = z.object({ processed: z.number().int().nonnegative() }).meta({ id: 'Processed' });
const redriveWindow = z
  .object({
    from: instant.describe('Earliest time of the events; with `state`, earliest time they became dead'),
    to: instant.describe('Latest time'),
    state: z.literal('dead').optional().describe('Only dead events'),
  })
  .meta({ id: 'RedriveWindow' });

const errors = codedErrors(400, 401, 403, 413, 415, 429, 500);

/** Longer than a pass that has to wait for a running one. */
const answerWithinMs = 15_000;

/** Operator routes for the outbox of a service that publishes events (page 3, Endpoints; D84), for superadmins. */
export function registerOutboxWorkers(
  admin: App,
  context: Pick<ServiceContext, 'sql' | 'temporal' | 'logger'>,
  service: 'organization' | 'patients' | 'bridge',
  prefix: '' | '/v1',
): void {
  const config = { policy: { allows: 'superadmin' } } as const;
  const security = [{ adminToken: [] }];

  admin.post(
    `${prefix}/admin/workers/outbox/tick`,
    {
      config: { ...config, access: { none: 'publishes what the relay publishes anyway' } },
      schema: {
        tags: ['Operation'],
        summary: 'Run one pass over the outbox now',
        description: 'The relay publishes committed events on its own; this waits for one additional pass.',
        security,
        response: {
          200: processed,
          ...errors,
          503: codedHttpError.describe('The pass has not been made yet'),
        },
      },
    },
    async () => {
      const timedOut = sleep(answerWithinMs, undefined, { ref: false });
      const answer = await Promise.race([passOutbox(outboxOf(context, service), 'wait'), timedOut]).catch(
        (error: unknown) => {
          throw isDatabaseAway(error) ? passPending() : error;
        },
      );
      if (answer === undefined) throw passPending();
      return { processed: answer };
    },
  );

  admin.post(
    `${prefix}/admin/workers/outbox/redrive`,
    {
      config: { ...config, access: { action: 'event.redrive' } },
      schema: {
        tags: ['Operation'],
        summary: 'Send the events of a period again',
        description:
          'Sends every event of the period to all its consumers, including delivered ones. Events keep their id and their order per record. With `"state": "dead"`, sends only the events that became dead in the period (D97).',
        security,
        body: redriveWindow,
        response: { 200: processed, ...errors },
      },
    },
    async ({ body: window }) => ({ processed: await redrive(context.sql, service, window) }),
  );
}

const passPending = () => unavailable('The pass has not been made yet');

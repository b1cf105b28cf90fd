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
    from: instant.describe('When the events happened, earliest; with `state`: when they were given up'),
    to: instant.describe('The same, latest'),
    state: z.literal('dead').optional().describe('Only what was given up'),
  })
  .meta({ id: 'RedriveWindow' });

const refusals = codedErrors(400, 401, 403, 413, 415, 429, 500);

/** More than a pass takes that waits for the one under way; beyond it the caller may ask again. */
const answerWithinMs = 15_000;

/** What operators do with the outbox of a service that publishes events (page 3, Endpoints; D84). Superadmins only. */
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
      config: { ...config, access: { none: 'hands on what is handed on anyway' } },
      schema: {
        tags: ['Operation'],
        summary: 'One pass over the outbox, now',
        description:
          'The relay ships what is committed within moments by itself; this waits for one more pass.',
        security,
        response: {
          200: processed,
          ...refusals,
          503: codedHttpError.describe('The pass has not been made yet'),
        },
      },
    },
    async () => {
      const late = sleep(answerWithinMs, undefined, { ref: false });
      const answer = await Promise.race([passOutbox(outboxOf(context, service), 'wait'), late]).catch(
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
        summary: 'Send the events of a window of time again',
        description:
          'Every event that happened in it, to all its consumers, delivered ones too, under the same id and in the ' +
          'old order per record; with `"state": "dead"` only what was given up in it (D97).',
        security,
        body: redriveWindow,
        response: { 200: processed, ...refusals },
      },
    },
    async ({ body: window }) => ({ processed: await redrive(context.sql, service, window) }),
  );
}

/** In the one shape of the services that publish (D5). */
const passPending = () => unavailable('The pass has not been made yet');

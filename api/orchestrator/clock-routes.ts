import { z } from 'zod';
import { readClock, setClock } from '../../db/orchestrator/clock.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import { adminKeysOnly } from '../plugins/signed.js';
import { day } from './contract.js';

const common = { tags: ['Clock'], security: [{ signature: [] }] };
const access = { none: 'the day that a trial takes for today' } as const;
const clock = z
  .object({
    today: z.string(),
    isReal: z.boolean().describe('false while another day than the real one counts'),
  })
  .meta({ id: 'Clock' });
const newClock = z
  .object({ today: day.nullable().describe('null for the real date') })
  .meta({ id: 'NewClock' });

/** The clock for trying, in development only (D146). */
export function clockRoutes(signed: App, { sql, config }: ServiceContext): void {
  if (config.NODE_ENV !== 'development') return;

  signed.get(
    '/orchestrator/clock',
    {
      config: { access },
      schema: {
        ...common,
        summary: 'Read what counts as today',
        description: 'In development only.',
        response: { 200: clock, ...issueErrors(401, 403, 429, 500) },
      },
    },
    () => readClock(sql, config),
  );

  signed.put(
    '/orchestrator/clock',
    {
      config: { access },
      preValidation: adminKeysOnly,
      schema: {
        ...common,
        summary: 'Set what counts as today',
        description:
          'In development only, for the dates of refills and notices. Timestamps and timers keep the real time. The day may go back.',
        body: newClock,
        response: { 200: clock, ...issueErrors(400, 401, 403, 413, 415, 429, 500) },
      },
    },
    async ({ body }) => {
      await setClock(sql, body.today);
      return readClock(sql, config);
    },
  );
}

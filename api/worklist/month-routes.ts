import { z } from 'zod';
import { month, readMonth } from '../../integrations/worklist/months.js';
import { csvLine, csvType, wantsCsv } from '../../platform/csv.js';
import type { App, ServiceContext } from '../context.js';
import { codedErrors, unavailable } from '../http-errors.js';
import { calendarMonth } from '../instant.js';
import { outboundAs } from '../outcomes.js';
import { partyAt } from './parties.js';

const monthAtDesk = month.meta({ id: 'MonthAtDesk' });
const columns = ['month', 'pharmacy', 'orders', 'chargedCents', 'refundedCents', 'billedCents'];

/** The figures of a month for the desk, from the closes and the statements (D135). */
export function monthRoutes(admin: App, context: ServiceContext): void {
  const orchestrator = partyAt(context, 'ORCHESTRATOR_URL');
  admin.get(
    '/v1/months/:month',
    {
      config: { policy: { allows: 'operators' }, access: { none: 'sums of a month, no patient' } },
      schema: {
        tags: ['Orders'],
        security: [{ adminToken: [] }],
        summary: 'Get the figures of a month',
        description:
          '`Accept: text/csv` gets a line for each pharmacy and one for all, with a header. Charges and refunds are of all pharmacies.',
        params: z.object({ month: calendarMonth }),
        response: { 200: monthAtDesk, ...codedErrors(400, 401, 403, 429, 500, 503) },
      },
    },
    async ({ headers, params }, reply) => {
      const figures = await readMonth(orchestrator, params.month).catch(outboundAs(() => unavailable()));
      if (!wantsCsv(headers)) return figures;
      const { pharmacies, orders, chargedCents, refundedCents, billedCents } = figures;
      const lines = [
        columns,
        ...pharmacies.map((one) => [params.month, one.pharmacy, one.orders, '', '', one.billedCents ?? '']),
        [params.month, 'all', orders, chargedCents, refundedCents, billedCents ?? ''],
      ];
      return reply
        .type(csvType)
        .header('content-disposition', `attachment; filename="${params.month}.csv"`)
        .send(lines.map((line) => csvLine(line.map(String))).join('') as never);
    },
  );
}

import { z } from 'zod';
import { readMonth } from '../../db/orchestrator/months.js';
import { pharmacies } from '../../domain/pharmacies.js';
import type { App, ServiceContext } from '../context.js';
import { issueErrors } from '../http-errors.js';
import { calendarMonth } from '../instant.js';

const monthParams = z.object({ month: calendarMonth });
const cents = z.int().describe('In cents');
const billedCents = cents.nullable().describe('In cents; null without a statement');
const month = z
  .object({
    month: z.string(),
    closedDays: z.int().min(0).describe('Days of the month that are closed, whose figures these are'),
    pharmacies: z.array(z.object({ pharmacy: z.enum(pharmacies), orders: z.int().min(0), billedCents })),
    orders: z.int().min(0),
    chargedCents: cents,
    refundedCents: cents,
    billedCents,
  })
  .meta({ id: 'MonthFigures' });

/** The figures of a month, for the worklist and for keys with the scope `admin` (D135). */
export function monthRoutes(signed: App, { sql }: ServiceContext): void {
  signed.get(
    '/orchestrator/months/:month',
    {
      config: { access: { none: 'sums of a month, no patient' } },
      schema: {
        tags: ['Closes'],
        security: [{ signature: [] }],
        summary: 'Read the figures of a month',
        description:
          'Orders, charges and refunds are those of the closed days. A bill counts in the month of its `shippedOn`, else of the first day of its statement.',
        params: monthParams,
        response: { 200: month, ...issueErrors(400, 401, 403, 429, 500) },
      },
    },
    async ({ params: { month } }) => {
      const [year = 0, n = 1] = month.split('-').map(Number);
      const until =
        n === 12
          ? `${String(year + 1).padStart(4, '0')}-01-01`
          : `${month.slice(0, 5)}${String(n + 1).padStart(2, '0')}-01`;
      const figures = await readMonth(sql, { from: `${month}-01`, until });
      const known = new Map(figures.pharmacies.map((one) => [one.pharmacy, one]));
      const each = pharmacies.map((pharmacy) => ({
        pharmacy,
        orders: known.get(pharmacy)?.orders ?? 0,
        billedCents: known.get(pharmacy)?.billedCents ?? null,
      }));
      const billed = each.flatMap(({ billedCents }) => billedCents ?? []);
      return {
        month,
        ...figures,
        pharmacies: each,
        orders: each.reduce((sum, { orders }) => sum + orders, 0),
        billedCents: billed.length > 0 ? billed.reduce((sum, cents) => sum + cents, 0) : null,
      };
    },
  );
}

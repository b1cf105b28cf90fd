import { z } from 'zod';
import { billKinds } from '../../domain/orchestrator/statements.js';
import { pharmacies } from '../../domain/pharmacies.js';
import { reference, text } from '../../platform/http/text.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { BadRecord } from './statement-csv.js';
import { day } from './contract.js';
import { lineOf, notSettled } from './line-contract.js';

const pharmacy = z.enum(pharmacies);
const count = z.int().min(0);
const maxCents = 999_999_999;
const maxFaults = 100;

const billedLine = z
  .object({
    pharmacyOrderId: reference.describe("The pharmacy's own id of the order"),
    amountCents: z.int().min(-maxCents).max(maxCents).describe('A credit is negative'),
    shippedOn: day.optional(),
    description: text(1_000).optional().describe('Not stored'),
  })
  .meta({ id: 'BilledLine' });

/** Reports each faulty line at its place, whatever its fault is (D133). */
const billedLines = z
  .array(z.unknown())
  .superRefine((lines, context) => {
    let faults = 0;
    for (const [at, line] of lines.entries()) {
      const { error } = billedLine.safeParse(line);
      if (!error) continue;
      const messages = error.issues.map(({ path, message }) => [...path, message].join(': '));
      const message = line instanceof BadRecord ? line.message : messages.join('; ');
      context.addIssue({ code: 'custom', path: [at], message });
      if (++faults === maxFaults) return;
    }
  })
  .meta({ documented: { type: 'array', items: { $ref: '#/components/schemas/BilledLine' } } })
  .pipe(z.array(billedLine));

export const newStatement = z
  .object({ from: day, to: day.describe('Inclusive'), lines: billedLines })
  .meta({ id: 'NewStatement' });
export const postQuery = z.object({
  pharmacy,
  from: day.optional().describe('Only for `text/csv`'),
  to: day.optional().describe('Only for `text/csv`'),
});
export const listQuery = pageQuery.extend({
  pharmacy: pharmacy.optional(),
  from: day.optional(),
  to: day.optional(),
});
export const statementParams = z.object({ id: z.string() });
export const lineParams = z.object({ id: z.string(), lineId: z.string() });

const statement = z
  .object({
    id: z.string(),
    pharmacy,
    from: z.string(),
    to: z.string(),
    lines: count.describe('Number of lines of the statement'),
    billedCents: z.int(),
    matched: count,
    differences: count,
    sha256: z.string().describe('SHA-256 of the bytes as received'),
  })
  .meta({ id: 'Statement' });
export const oneStatement = z.object({ statement });
export const statements = z.object({ statements: z.array(statement), nextCursor });
export const covered = z.object({ error: z.string(), statementId: z.string() }).meta({ id: 'DaysCovered' });

const line = lineOf(billKinds).meta({ id: 'StatementLine' });
export const oneLine = z.object({ line });
export const lines = z.object({ lines: z.array(line), nextCursor });
export const stillDifferent = notSettled(line).meta({ id: 'BillStillDifferent' });

export const priceParams = z.object({ pharmacy, article: text(100).min(1) });
export const newPrice = z
  .object({ cents: z.int().min(0).max(maxCents), from: day.describe('The first day that it holds') })
  .meta({ id: 'NewPrice' });
const price = z
  .object({ pharmacy, article: z.string(), cents: count, from: z.string() })
  .meta({ id: 'Price' });
export const onePrice = z.object({ price });
export const prices = z.object({ prices: z.array(price) });

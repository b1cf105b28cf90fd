import { z } from 'zod';
import { differenceKinds } from '../../domain/orchestrator/daily-close.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { lineOf, notSettled } from './line-contract.js';
import { day } from './contract.js';

const count = z.int().min(0);

export const newClose = z.object({ date: day.describe('Before today') }).meta({ id: 'NewClose' });
export const closeParams = z.object({ date: z.string() });
export const closeQuery = pageQuery.extend({ from: day.optional(), to: day.optional() });
export const lineParams = z.object({ date: z.string(), id: z.string() });

const close = z
  .object({
    date: z.string(),
    state: z.enum(['running', 'closed']),
    totals: z
      .object({ orders: count, charges: count, chargedCents: count, refundedCents: count, labels: count })
      .describe('The totals of the external services, ours or not'),
    matched: count,
    explained: count,
    differences: count,
    settled: count,
  })
  .meta({ id: 'Close' });
export const oneClose = z.object({ close });
export const closes = z.object({ closes: z.array(close), nextCursor });

const closeLine = lineOf(differenceKinds).meta({ id: 'CloseLine' });
export const oneLine = z.object({ line: closeLine });
export const lines = z.object({ lines: z.array(closeLine), nextCursor });
export const stillDifferent = notSettled(closeLine).meta({ id: 'StillDifferent' });

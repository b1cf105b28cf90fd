import { z } from 'zod';
import type { StoredLine } from '../../db/orchestrator/closes.js';
import { clientOfKey, ownTaskId } from '../../domain/clients.js';
import { differenceKinds, explanations, lineStates } from '../../domain/orchestrator/daily-close.js';
import { text } from '../../platform/http/text.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { day } from './contract.js';

const count = z.int().min(0);

export const newClose = z.object({ date: day.describe('Before today') }).meta({ id: 'NewClose' });
export const closeParams = z.object({ date: z.string() });
export const closeQuery = pageQuery.extend({ from: day.optional(), to: day.optional() });
export const lineQuery = pageQuery.extend({ state: z.enum(lineStates).optional() });
export const lineParams = z.object({ date: z.string(), id: z.string() });

const close = z
  .object({
    date: z.string(),
    state: z.enum(['running', 'closed']),
    totals: z
      .object({ orders: count, charges: count, chargedCents: count, refundedCents: count, labels: count })
      .describe('What the outside has, ours or not'),
    matched: count,
    explained: count,
    differences: count,
    settled: count,
  })
  .meta({ id: 'Close' });
export const oneClose = z.object({ close });
export const closes = z.object({ closes: z.array(close), nextCursor });

const facts = z.record(z.string(), z.union([z.string(), z.number()])).nullable();
const line = z
  .object({
    id: z.string(),
    reference: z.string().describe('Of our order; the id at the other party where nothing is ours'),
    taskId: z.string().nullable(),
    client: z.string().optional().describe('Whose order it is; left out for the default client'),
    state: z.enum(lineStates),
    kind: z.enum(differenceKinds).nullable(),
    because: z.enum(explanations).nullable(),
    ours: facts,
    theirs: facts,
    settled: z
      .object({
        at: z.string(),
        by: z.string(),
        answer: z.enum(['recheck', 'accept']),
        note: z.string().nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'CloseLine' });
/** A line as its client knows the order and the task (D140). */
export const asShown = (line: StoredLine) => {
  const client = clientOfKey(line.reference);
  const taskId = line.taskId && ownTaskId(line.taskId);
  return { ...line, reference: ownTaskId(line.reference), taskId, ...(client !== '' && { client }) };
};
export const oneLine = z.object({ line });
export const lines = z.object({ lines: z.array(line), nextCursor });
export const settlement = z
  .object({
    answer: z.enum(['recheck', 'accept']).describe('`accept` settles it by word'),
    note: text(500).optional(),
  })
  .meta({ id: 'Settlement' });
export const stillDifferent = z.object({ error: z.string(), line }).meta({ id: 'StillDifferent' });

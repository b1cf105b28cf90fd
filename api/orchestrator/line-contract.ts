import { z } from 'zod';
import type { StoredLine } from '../../db/orchestrator/book-lines.js';
import { clientOfKey, ownTaskId } from '../../domain/clients.js';
import { explanations, lineStates } from '../../domain/orchestrator/daily-close.js';
import { text } from '../../platform/http/text.js';
import { pageQuery } from '../cursor.js';

const facts = z.record(z.string(), z.union([z.string(), z.number()])).nullable();

export const lineQuery = pageQuery.extend({ state: z.enum(lineStates).optional() });
/** A line of a close or a statement. */
export const lineOf = <K extends string>(kinds: readonly [K, ...K[]]) =>
  z.object({
    id: z.string(),
    reference: z.string().describe("Our order's; the id at the external service where nothing is ours"),
    taskId: z.string().nullable(),
    client: z.string().optional().describe('Whose order it is; left out for the default client'),
    state: z.enum(lineStates),
    kind: z.enum(kinds).nullable(),
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
  });

/** A line as its client knows the order and the task (D140). */
export function asShown<L extends Pick<StoredLine, 'reference' | 'taskId'>>(line: L) {
  const client = clientOfKey(line.reference);
  const taskId = line.taskId && ownTaskId(line.taskId);
  return { ...line, reference: ownTaskId(line.reference), taskId, ...(client !== '' && { client }) };
}

export const settlement = z
  .object({
    answer: z.enum(['recheck', 'accept']).describe('`accept` settles it by word'),
    note: text(500).optional(),
  })
  .meta({ id: 'Settlement' });
export const notSettled = <L extends z.ZodType>(line: L) => z.object({ error: z.string(), line });

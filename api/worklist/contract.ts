import { z } from 'zod';
import { type WorkItemKind, workItemKinds } from '../../domain/work-items.js';
import { nextCursor, pageQuery } from '../cursor.js';
import { instant, timestamp } from '../instant.js';
import { text } from '../../platform/http/text.js';
import { itemContext } from '../../integrations/worklist/contexts.js';

const kind = z.enum(Object.keys(workItemKinds) as WorkItemKind[]);

const workItem = z
  .object({
    id: z.uuid(),
    kind,
    reason: z.string().describe('A code'),
    title: z.string(),
    references: z.record(z.string(), z.string()).describe('Ids by name, such as `taskId`'),
    organizationId: z.uuid().nullable(),
    state: z.enum(['open', 'snoozed', 'closed']),
    answers: z.array(z.string()).describe('The possible answers'),
    openedAt: timestamp,
    dueAt: timestamp,
    closedAt: timestamp.nullable(),
    closedBy: z.string().nullable().describe("A person's e-mail address, or `system`"),
    answer: z.string().nullable(),
    runUrl: z.url().nullable().describe('The waiting or failed workflow in the Web UI'),
  })
  .meta({ id: 'WorkItem' });

export const itemQuery = pageQuery.extend({
  state: z.enum(['open', 'snoozed', 'closed']).optional(),
  kind: kind.optional(),
  taskId: text(220).min(1).optional(),
  organizationId: text(36).pipe(z.uuid()).optional(),
  overdue: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});
export const workItems = z.object({ workItems: z.array(workItem), nextCursor });
export const oneWorkItem = z.object({ workItem });
/** What a page lacks, beside what it shows. */
export const missing = z
  .array(z.string())
  .describe('The services that have not answered, so that what they know is missing');
export const workItemWithHistory = z.object({
  workItem,
  context: itemContext,
  missing,
  effects: z
    .record(z.string(), z.string())
    .describe('Effect of each possible answer on this order; `{}` once the item is closed'),
  history: z.array(
    z.object({
      at: timestamp,
      actor: z.string(),
      action: z.string(),
      answer: z.string().nullable().describe('The word of an answer; null for other entries'),
      note: z.string().nullable().describe("The person's text unchanged; the reason of a rejection"),
      changed: z.array(z.string()).describe('The fields of the order that an answer changes, such as `sig`'),
    }),
  ),
});
export const stuckRuns = z.object({
  stuckRuns: z.array(
    z
      .object({
        workflowId: z.string(),
        workflow: z.string(),
        step: z.string().describe('The step of the pipeline, else the activity'),
        since: timestamp,
        nextTryAt: timestamp.nullable().describe('Null during an attempt'),
        taskId: z.string().nullable(),
        submissionId: z.string().nullable(),
        pharmacy: z.string().nullable(),
        runUrl: z.url().nullable(),
      })
      .meta({ id: 'StuckRun' }),
  ),
  total: z.int().describe('Number of stuck workflows; up to 200 are listed'),
  lists: z
    .array(
      z.object({ title: z.string(), query: z.string(), url: z.url().nullable() }).meta({ id: 'RunList' }),
    )
    .describe('Queries of operators in the Web UI'),
});
export const counts = z.object({
  counts: z.array(z.object({ kind: z.string(), open: z.int(), overdue: z.int() })),
});

/**
 * Details of an answer, such as `changes` of a hold or the `pharmacy` of a reroute. The item's service validates them.
 */
const data = z.record(z.string(), z.unknown());
export const givenAnswer = z
  .object({ answer: text(50).min(1), note: text(2000).min(1).optional(), data: data.optional() })
  .meta({ id: 'GivenAnswer' });
export const snoozing = z.object({ until: instant }).meta({ id: 'Snoozing' });
export const newNote = z.object({ note: text(2000).min(1) }).meta({ id: 'NewNote' });

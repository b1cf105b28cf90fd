import { z } from 'zod';
import { detailOf, type EventHandler, type Handlers } from '../../activities/events/deliveries.js';
import { takeItem } from '../../db/worklist/items.js';
import { type WorkItemDetail, type WorkItemKind, workItemKinds } from '../../domain/work-items.js';
import type { WorkerContext } from '../context.js';
import { sessionEvents } from '../ended-sessions.js';

const workItem: z.ZodType<WorkItemDetail> = z.object({
  id: z.uuid(),
  kind: z.enum(Object.keys(workItemKinds) as WorkItemKind[]),
  reason: z.string(),
  title: z.string(),
  references: z.record(z.string(), z.string()),
  organizationId: z.string().nullable(),
  answers: z.array(z.string()),
  workflowId: z.string().nullable(),
  openedAt: z.iso.datetime(),
  dueAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
  closedBy: z.string().nullable(),
  answer: z.string().nullable(),
});

export function worklistEvents(context: WorkerContext): Handlers<'worklist'> {
  /** Stores the item as its service published it. Idempotent by the event. */
  const take: EventHandler = async (event) => {
    const item = detailOf(event, workItem);
    await takeItem(context.sql, { eventId: event.id, source: event.source, item });
  };
  return { ...sessionEvents(context, 'worklist'), 'work_item.opened': take, 'work_item.closed': take };
}

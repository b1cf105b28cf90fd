import {
  closedBySystem,
  type WorkItemAnswer,
  type WorkItemDetail,
  type WorkItemKind,
  workItemKinds,
} from '../domain/work-items.js';
import type { Queryable } from './client.js';
import { publishEvent } from './outbox.js';

/** Schemas whose service has facts that wait for a person. */
export type WorkItemSchema = 'router' | 'orchestrator' | 'intake' | 'organization' | 'patients' | 'bridge';

/** What an item is about: there is one item for each kind and fact, however often it is reported. */
export interface Fact {
  kind: WorkItemKind;
  /** Made of business ids, such as a submission's. */
  fact: string;
}

interface Row extends Omit<WorkItemDetail, 'openedAt' | 'dueAt' | 'closedAt' | 'references'> {
  refersTo: Record<string, string>;
  openedAt: Date;
  dueAt: Date;
  closedAt: Date | null;
}

/**
 * Opens the work item of a fact (D109), in the transaction of the fact itself. One that is open stays as it is, one that
 * was closed is opened again.
 * @param item `reason` is a word; `references` are ids by what they are of; `workflowId` is the run that waits or failed
 */
export async function openWorkItem(
  sql: Queryable,
  schema: WorkItemSchema,
  item: Fact & {
    reason: string;
    references: Record<string, string>;
    organizationId?: string | null;
    workflowId?: string | null;
  },
): Promise<void> {
  const { kind, fact, reason, references, organizationId = null, workflowId = null } = item;
  const { title, answers, hoursUntilDue } = workItemKinds[kind];
  const [opened] = await sql<Row[]>`
    insert into ${sql(`${schema}.work_item`)} as item
      (kind, fact, reason, title, refers_to, organization_id, workflow_id, answers, due_at)
    values (
      ${kind}, ${fact}, ${reason}, ${title}, ${sql.json(references)}, ${organizationId}, ${workflowId},
      ${[...answers]}, now() + make_interval(hours => ${hoursUntilDue})
    )
    on conflict (kind, fact) do update set
      reason = excluded.reason, refers_to = excluded.refers_to, workflow_id = excluded.workflow_id,
      state = 'open', opened_at = now(), due_at = excluded.due_at, closed_at = null, closed_by = null, answer = null
      where item.state = 'closed'
    returning ${columns(sql)}
  `;
  if (opened) await tell(sql, schema, 'work_item.opened', opened);
}

/**
 * Closes the work item of a fact, in the transaction that settles the fact; none is open where it was never reported.
 * @param how `closedBy` is an admin's e-mail address, `system` where the fact healed by itself
 * @returns whether one was open
 */
export async function closeWorkItem(
  sql: Queryable,
  schema: WorkItemSchema,
  { kind, fact }: Fact,
  { closedBy = closedBySystem, answer = null }: { closedBy?: string; answer?: WorkItemAnswer | null } = {},
): Promise<boolean> {
  const [closed] = await sql<Row[]>`
    update ${sql(`${schema}.work_item`)} set
      state = 'closed', closed_at = now(), closed_by = ${closedBy}, answer = ${answer}
    where kind = ${kind} and fact = ${fact} and state <> 'closed'
    returning ${columns(sql)}
  `;
  if (closed) await tell(sql, schema, 'work_item.closed', closed);
  return closed !== undefined;
}

const columns = (sql: Queryable) => sql`
  id, kind, reason, title, refers_to, organization_id, answers, workflow_id, opened_at, due_at, closed_at, closed_by,
  answer
`;

const tell = (
  sql: Queryable,
  schema: WorkItemSchema,
  detailType: 'work_item.opened' | 'work_item.closed',
  { refersTo, openedAt, dueAt, closedAt, ...item }: Row,
) =>
  publishEvent(sql, schema, {
    source: schema,
    detailType,
    aggregateId: item.id,
    organizationId: item.organizationId,
    detail: {
      ...item,
      references: refersTo,
      openedAt: openedAt.toISOString(),
      dueAt: dueAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
    } satisfies WorkItemDetail,
  });

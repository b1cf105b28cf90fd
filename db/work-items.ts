import {
  closedBySystem,
  type WorkItemAnswer,
  type WorkItemDetail,
  type WorkItemKind,
  workItemKinds,
} from '../domain/work-items.js';
import type { CalendarDay } from '../domain/calendar.js';
import { ownTaskId } from '../domain/clients.js';
import { isChargedAgain } from '../domain/orchestrator/shipments.js';
import { first, type Queryable } from './client.js';
import { clientOf, taskOf } from './orchestrator/clients.js';
import { publishEvent } from './outbox.js';

export type WorkItemSchema = 'router' | 'orchestrator' | 'intake' | 'organization' | 'patients' | 'bridge';

/** The subject of an item; each kind and fact has one item. */
export interface Fact {
  kind: WorkItemKind;
  /** Business ids, such as a submission's. */
  fact: string;
}

interface Row extends Omit<WorkItemDetail, 'openedAt' | 'dueAt' | 'closedAt' | 'references'> {
  refersTo: Record<string, string>;
  openedAt: Date;
  dueAt: Date;
  closedAt: Date | null;
}

/**
 * Opens the work item of a fact (D109) in the transaction of the fact. An open item stays, except with
 * `replacesReason`; a closed one is opened again.
 * @param item `reason` is a code, `references` maps names to ids, `workflowId` is the workflow that waits or failed
 */
export async function openWorkItem(
  sql: Queryable,
  schema: WorkItemSchema,
  item: Fact & {
    reason: string;
    references: Record<string, string>;
    organizationId?: string | null;
    workflowId?: string | null;
    /** Replaces the answers of the kind. */
    answers?: readonly WorkItemAnswer[];
    /** An open item adopts a new reason. */
    replacesReason?: boolean;
    /** Due at the start of this day, instead of after the hours of the kind, which it has at the least. */
    dueOn?: { day: CalendarDay; timeZone: string };
  },
): Promise<void> {
  const { kind, fact, reason, organizationId = null, workflowId = null } = item;
  const references = schema === 'orchestrator' ? await withOwner(sql, item.references) : item.references;
  const { title, hoursUntilDue } = workItemKinds[kind];
  const { answers = workItemKinds[kind].answers, replacesReason = false, dueOn } = item;
  const soonest = sql`now() + make_interval(hours => ${hoursUntilDue})`;
  const dueAt = dueOn
    ? sql`greatest(${dueOn.day}::date::timestamp at time zone ${dueOn.timeZone}, ${soonest})`
    : soonest;
  const isMoved = dueOn ? sql`(excluded.due_at > ${soonest} and excluded.due_at <> item.due_at)` : sql`false`;
  const [opened] = await sql<Row[]>`
    insert into ${sql(`${schema}.work_item`)} as item
      (kind, fact, reason, title, refers_to, organization_id, workflow_id, answers, due_at)
    values (
      ${kind}, ${fact}, ${reason}, ${title}, ${sql.json(references)}, ${organizationId}, ${workflowId},
      ${[...answers]}, ${dueAt}
    )
    on conflict (kind, fact) do update set
      reason = excluded.reason, refers_to = excluded.refers_to, workflow_id = excluded.workflow_id,
      answers = excluded.answers, state = 'open',
      opened_at = case when item.state = 'closed' then now() else item.opened_at end,
      due_at = case when item.state = 'closed' or ${isMoved} then excluded.due_at else item.due_at end,
      closed_at = null, closed_by = null, answer = null, answering = null, answering_by = null
      where item.state = 'closed' or (${replacesReason} and item.reason <> excluded.reason) or ${isMoved}
    returning ${columns(sql)}
  `;
  if (opened) await publish(sql, schema, 'work_item.opened', opened);
  // The answer in progress has not helped, so it does not close the item.
  else
    await sql`
      update ${sql(`${schema}.work_item`)} set answering = null, answering_by = null
      where kind = ${kind} and fact = ${fact} and answering is not null
    `;
}

/** A task of a named client has its client beside it (D140). A charge made again names the task of its order (D155). */
async function withOwner(sql: Queryable, given: Record<string, string>): Promise<Record<string, string>> {
  const isAgain = isChargedAgain(given['taskId'] ?? '');
  const references = isAgain ? { ...given, taskId: await taskOf(sql, given['taskId'] ?? '') } : given;
  const { taskId, reference = taskId } = references;
  const client = reference === undefined ? '' : await clientOf(sql, taskId ?? reference);
  return client === '' ? references : { ...references, client };
}

/** The references as the client knows them. */
const known = (refersTo: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(refersTo).map(([name, id]) => [name, ownTaskId(id)]));

/**
 * Closes the work item of a fact in the transaction that resolves the fact. The closer is the person whose answer is
 * in progress, else `system`.
 * @returns whether one was open
 */
export const closeWorkItem = (
  sql: Queryable,
  schema: WorkItemSchema,
  { kind, fact }: Fact,
): Promise<boolean> => close(sql, schema, sql`kind = ${kind} and fact = ${fact} and state <> 'closed'`);

/**
 * Reopens the items of a task after the pharmacy rejected what their answer requested. Call it in the transaction
 * that records the rejection.
 * @param since when that request began: items closed earlier had another outcome
 */
export async function reopenAnswered(
  sql: Queryable,
  schema: WorkItemSchema,
  { taskId, answer, since }: { taskId: string; answer: WorkItemAnswer; since: Date },
): Promise<void> {
  type Answered = Fact & Pick<Row, 'reason' | 'refersTo' | 'organizationId' | 'workflowId'>;
  const items = await sql<(Answered & { answers: WorkItemAnswer[] })[]>`
    select kind, fact, reason, refers_to, organization_id, workflow_id, answers from ${sql(`${schema}.work_item`)}
    where ${aboutTask(sql, taskId)}
      and (answering = ${answer} or (state = 'closed' and answer = ${answer} and closed_at >= ${since}))
  `;
  for (const { refersTo: references, ...item } of items)
    await openWorkItem(sql, schema, { ...item, references });
}

/** Matches the items that name a task or one of its references. */
export const aboutTask = (sql: Queryable, taskId: string) =>
  sql`(fact = ${taskId} or refers_to ->> 'taskId' = ${taskId} or refers_to ->> 'reference' = ${taskId})`;

/** Records the answer in progress. @returns false when the item is closed */
export async function beginAnswer(
  sql: Queryable,
  schema: WorkItemSchema,
  id: string,
  { answer, by }: { answer: WorkItemAnswer; by: string },
): Promise<boolean> {
  const { count } = await sql`
    update ${sql(`${schema}.work_item`)} set answering = ${answer}, answering_by = ${by}
    where id = ${id} and state <> 'closed'
  `;
  return count > 0;
}

/** Closes an item by its answer. @returns false when its fact was reported again meanwhile */
export async function finishAnswer(
  sql: Queryable,
  schema: WorkItemSchema,
  id: string,
  { answer, by }: { answer: WorkItemAnswer; by: string },
): Promise<boolean> {
  if (await close(sql, schema, sql`id = ${id} and state <> 'closed' and answering = ${answer}`)) return true;
  const item = await findWorkItem(sql, schema, id);
  return item?.state === 'closed' && item.closedBy === by && item.answer === answer;
}

/** Clears an answer that failed; the item stays open for another one. */
export async function dropAnswer(sql: Queryable, schema: WorkItemSchema, id: string): Promise<void> {
  await sql`update ${sql(`${schema}.work_item`)} set answering = null, answering_by = null where id = ${id}`;
}

async function close(
  sql: Queryable,
  schema: WorkItemSchema,
  which: ReturnType<typeof columns>,
): Promise<boolean> {
  const [closed] = await sql<Row[]>`
    update ${sql(`${schema}.work_item`)} set
      state = 'closed', closed_at = now(), closed_by = coalesce(answering_by, ${closedBySystem}), answer = answering,
      answering = null, answering_by = null
    where ${which}
    returning ${columns(sql)}
  `;
  if (closed) await publish(sql, schema, 'work_item.closed', closed);
  return closed !== undefined;
}

/** An item in its own service's schema. */
export interface OwnWorkItem extends Fact {
  id: string;
  reason: string;
  refersTo: Record<string, string>;
  organizationId: string | null;
  workflowId: string | null;
  answers: string[];
  state: 'open' | 'closed';
  closedBy: string | null;
  answer: string | null;
  /** The answer in progress, and the person's e-mail address. */
  answering: string | null;
  answeringBy: string | null;
}

export const findWorkItem = (sql: Queryable, schema: WorkItemSchema, id: string) =>
  first(sql<OwnWorkItem[]>`
    select id, kind, fact, reason, refers_to, organization_id, workflow_id, answers, state, closed_by, answer,
      answering, answering_by
    from ${sql(`${schema}.work_item`)}
    where id = ${id}
  `);

const columns = (sql: Queryable) => sql`
  id, kind, reason, title, refers_to, organization_id, answers, workflow_id, opened_at, due_at, closed_at, closed_by,
  answer
`;

const publish = (
  sql: Queryable,
  schema: WorkItemSchema,
  detailType: 'work_item.opened' | 'work_item.closed',
  { refersTo, openedAt, dueAt, closedAt, ...item }: Row,
) =>
  publishEvent(sql, schema, {
    detailType,
    aggregateId: item.id,
    organizationId: item.organizationId,
    detail: {
      ...item,
      references: known(refersTo),
      openedAt: openedAt.toISOString(),
      dueAt: dueAt.toISOString(),
      closedAt: closedAt?.toISOString() ?? null,
    } satisfies WorkItemDetail,
  });

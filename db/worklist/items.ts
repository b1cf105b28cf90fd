import { closedBySystem, type WorkItemDetail, type WorkItemKind } from '../../domain/work-items.js';
import { first, type Queryable, type Sql } from '../client.js';

export interface WorkItem {
  id: string;
  /** The service that owns it. */
  source: string;
  kind: WorkItemKind;
  reason: string;
  title: string;
  refersTo: Record<string, string>;
  organizationId: string | null;
  answers: string[];
  workflowId: string | null;
  openedAt: Date;
  dueAt: Date;
  closedAt: Date | null;
  closedBy: string | null;
  answer: string | null;
  state: 'open' | 'snoozed' | 'closed';
  answering: string | null;
  answeringBy: string | null;
}

/** The organizations whose items the caller can see; items without one need `all`. */
export type Organizations = readonly string[] | 'all';

const columns = (sql: Queryable) => sql`
  id, source, kind, reason, title, refers_to, organization_id, answers, workflow_id, opened_at, due_at, closed_at,
  closed_by, answer, answering, answering_by, ${stateOf(sql)} as state
`;
const stateOf = (sql: Queryable) => sql`
  case when closed_at is not null then 'closed' when snoozed_until > now() then 'snoozed' else 'open' end
`;
/** The same states as conditions that use the indexes. */
const isIn = (sql: Queryable, state: WorkItem['state']) => {
  if (state === 'closed') return sql`closed_at is not null`;
  return state === 'snoozed'
    ? sql`closed_at is null and snoozed_until > now()`
    : sql`closed_at is null and coalesce(snoozed_until, '-infinity') <= now()`;
};
const within = (sql: Queryable, organizations: Organizations) =>
  organizations === 'all' ? sql`true` : sql`organization_id::text = any(${[...organizations]})`;

/** Stores an item as its service published it, once per event. */
export async function takeItem(
  sql: Sql,
  { eventId, source, item }: { eventId: string; source: string; item: WorkItemDetail },
): Promise<void> {
  const { id, kind, reason, title, references, organizationId, answers, workflowId } = item;
  const { openedAt, dueAt, closedAt, closedBy, answer } = item;
  await sql.begin(async (sql) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${id}, 0))`;
    const [known] = await sql`select from worklist.history where event_id = ${eventId}`;
    if (known) return;
    await sql`
      insert into worklist.work_item as item (
        id, source, kind, reason, title, refers_to, organization_id, answers, workflow_id, opened_at, due_at, closed_at,
        closed_by, answer
      )
      values (
        ${id}, ${source}, ${kind}, ${reason}, ${title}, ${sql.json(references)}, ${organizationId}, ${[...answers]},
        ${workflowId}, ${openedAt}, ${dueAt}, ${closedAt}, ${closedBy}, ${answer}
      )
      on conflict (id) do update set
        reason = excluded.reason, refers_to = excluded.refers_to, answers = excluded.answers,
        workflow_id = excluded.workflow_id, opened_at = excluded.opened_at, due_at = excluded.due_at,
        closed_at = excluded.closed_at,
        -- an item resolved by an answer in progress counts as that person's
        closed_by = case
          when excluded.closed_by = ${closedBySystem} then coalesce(item.answering_by, excluded.closed_by)
          else excluded.closed_by
        end,
        answer = case
          when excluded.closed_by = ${closedBySystem} then coalesce(item.answering, excluded.answer)
          else excluded.answer
        end,
        snoozed_until = null, answering = null, answering_by = null
    `;
    await sql`
      insert into worklist.history (item_id, actor, action, answer, event_id)
      values (${id}, ${closedBy ?? 'system'}, ${closedAt === null ? 'opened' : 'closed'}, ${answer}, ${eventId})
    `;
  });
}

export interface ItemFilter {
  state?: WorkItem['state'] | undefined;
  kind?: string | undefined;
  taskId?: string | undefined;
  organizationId?: string | undefined;
  overdue?: boolean | undefined;
}

/** The cursor of a list. */
export interface ItemPosition {
  isClosed: boolean;
  dueAt: Date;
  id: string;
}

/** Open ones first, then by due date. */
export async function listItems(
  sql: Queryable,
  organizations: Organizations,
  { limit, after, ...filter }: ItemFilter & { limit: number; after?: ItemPosition | undefined },
): Promise<WorkItem[]> {
  const { state, kind, taskId, organizationId, overdue } = filter;
  return sql<WorkItem[]>`
    select ${columns(sql)}
    from worklist.work_item
    where ${within(sql, organizations)}
      and ${state === undefined ? sql`true` : isIn(sql, state)}
      and ${kind === undefined ? sql`true` : sql`kind = ${kind}`}
      and ${taskId === undefined ? sql`true` : sql`refers_to ->> 'taskId' = ${taskId}`}
      and ${organizationId === undefined ? sql`true` : sql`organization_id::text = ${organizationId}`}
      and ${overdue === undefined ? sql`true` : sql`${overdue ? sql`` : sql`not`} (${isOverdue(sql)})`}
      and ${
        after
          ? sql`(closed_at is not null, due_at, id) > (${after.isClosed}, ${after.dueAt}, ${after.id})`
          : sql`true`
      }
    order by closed_at is not null, due_at, id
    limit ${limit}
  `;
}

/** A snoozed item is not overdue. */
const isOverdue = (sql: Queryable) =>
  sql`closed_at is null and due_at < now() and coalesce(snoozed_until, due_at) <= now()`;

export const findItem = (sql: Queryable, organizations: Organizations, id: string) =>
  first(sql<WorkItem[]>`
    select ${columns(sql)} from worklist.work_item where id = ${id} and ${within(sql, organizations)}
  `);

/** Open items by kind, as the list has them. A kind of which all items are snoozed counts 0. */
export const countOpen = (sql: Queryable, organizations: Organizations) =>
  sql<{ kind: string; open: number; overdue: number }[]>`
    select kind, count(*) filter (where ${isIn(sql, 'open')})::int as open, count(*) filter (where ${isOverdue(sql)})::int as overdue
    from worklist.work_item
    where closed_at is null and ${within(sql, organizations)}
    group by kind
    order by kind
  `;

export interface HistoryEntry {
  at: Date;
  actor: string;
  action: string;
  /** The word of an answer, apart from the person's text. */
  answer: string | null;
  note: string | null;
  /** The fields of the order that an answer changes. */
  changed: string[];
}

export const historyOf = (sql: Queryable, itemId: string) =>
  sql<HistoryEntry[]>`
    select at, actor, action, answer, note, changed from worklist.history where item_id = ${itemId} order by position
  `;

/**
 * Claims the single answer of an open item. The same answer of the same person joins.
 * @param isAbandoned no run carries out the answer that has the claim, so that this one replaces it. A claim of the last
 * minute stays, since its run may be about to start.
 * @returns undefined when the item is closed or another answer is in progress
 */
export const claimAnswer = (
  sql: Sql,
  itemId: string,
  { answer, by, note, changed }: { answer: string; by: string; note: string | null; changed: string[] },
  isAbandoned = false,
): Promise<WorkItem | undefined> =>
  sql.begin(async (sql) => {
    const [before] = await sql<Pick<WorkItem, 'answering' | 'answeringBy'>[]>`
      select answering, answering_by from worklist.work_item where id = ${itemId} for update
    `;
    const isFree = isAbandoned
      ? sql`not exists (
          select from worklist.history
          where item_id = ${itemId} and action = 'answered' and at > now() - interval '1 minute'
        )`
      : sql`answering is null or (answering = ${answer} and answering_by = ${by})`;
    const [item] = await sql<WorkItem[]>`
      update worklist.work_item set answering = ${answer}, answering_by = ${by}
      where id = ${itemId} and closed_at is null and (${isFree})
      returning ${columns(sql)}
    `;
    if (item && (before?.answering !== answer || before.answeringBy !== by))
      await addHistory(sql, itemId, { by, action: 'answered', answer, note, changed });
    return item;
  });

/** Records the result of an answer. Success closes the item, unless its service has closed it already. */
export async function settleAnswer(
  sql: Sql,
  { itemId, answer, by, refusal }: { itemId: string; answer: string; by: string; refusal: string | null },
): Promise<void> {
  await sql.begin(async (sql) => {
    const closing =
      refusal === null ? sql`, closed_at = now(), closed_by = ${by}, answer = ${answer}` : sql``;
    const { count } = await sql`
      update worklist.work_item set answering = null, answering_by = null ${closing}
      where id = ${itemId} and answering = ${answer} and answering_by = ${by} and closed_at is null
    `;
    if (count > 0 && refusal !== null)
      await addHistory(sql, itemId, { by, action: 'refused', answer, note: refusal });
  });
}

/** @returns undefined when the item is closed */
export const snoozeItem = (
  sql: Sql,
  itemId: string,
  { until, by }: { until: Date; by: string },
): Promise<WorkItem | undefined> =>
  sql.begin(async (sql) => {
    const [item] = await sql<WorkItem[]>`
      update worklist.work_item set snoozed_until = ${until} where id = ${itemId} and closed_at is null
      returning ${columns(sql)}
    `;
    if (item) await addHistory(sql, itemId, { by, action: 'snoozed', note: `until ${until.toISOString()}` });
    return item;
  });

export const addNote = (sql: Queryable, itemId: string, { note, by }: { note: string; by: string }) =>
  addHistory(sql, itemId, { by, action: 'noted', note });

async function addHistory(
  sql: Queryable,
  itemId: string,
  entry: {
    by: string;
    action: 'answered' | 'refused' | 'snoozed' | 'noted';
    answer?: string;
    note: string | null;
    changed?: readonly string[];
  },
): Promise<void> {
  const { by, action, answer = null, note, changed = [] } = entry;
  await sql`
    insert into worklist.history (item_id, actor, action, answer, note, changed)
    values (${itemId}, ${by}, ${action}, ${answer}, ${note}, ${sql.array([...changed])}::text[])
  `;
}

/** Open items by kind, with the age of the oldest in seconds. */
export const measureItems = (sql: Queryable) =>
  sql<{ kind: WorkItemKind; open: number; overdue: number; ageSeconds: number }[]>`
    select kind, count(*)::int as open, count(*) filter (where ${isOverdue(sql)})::int as overdue,
      extract(epoch from now() - min(opened_at))::float8 as age_seconds
    from worklist.work_item
    where closed_at is null
    group by kind
  `;

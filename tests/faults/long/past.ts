import type { Sql } from '../../../db/client.js';

/** What a year of approvals leaves: tables that grow with every order, whose closed rows stay. */
export const grownTables: Record<string, string> = {
  'orchestrator.task': "state = 'completed'",
  'orchestrator.run': "status = 'completed'",
  'orchestrator.order_reference': "state = 'live'",
  'orchestrator.payment': "status = 'succeeded'",
  'orchestrator.shipment': 'true',
  'orchestrator.downstream_call': 'true',
  'orchestrator.refill_schedule': 'true',
  'orchestrator.refill_check_result': 'processed',
  'orchestrator.cancellation': "state = 'approved'",
  'orchestrator.payment_recovery': "state = 'paid'",
  'orchestrator.work_item': "state = 'closed'",
  'orchestrator.outbox': 'shipped_at is not null',
  'orchestrator.event_delivery': "state = 'delivered'",
  'router.submission': "outcome = 'accepted'",
  'router.callback': "state = 'delivered'",
  'router.callback_attempt': 'true',
  'router.hold': "state = 'released'",
  'router.cancellation': "state = 'approved'",
  'router.work_item': "state = 'closed'",
  'router.outbox': 'shipped_at is not null',
  'router.event_delivery': "state = 'delivered'",
  'notification.delivery': 'status is not null',
  'worklist.work_item': 'closed_at is not null',
  'worklist.history': 'true',
  'access.access_event': 'true',
};

/** Values of closed rows that are not those of the row they are copied from. */
const closed: Record<string, string> = {
  'orchestrator.refill_schedule.status': "'completed'",
  'router.submission.status': "'delivered'",
};

/** Ids by which rows of one order name each other, in whatever table; those of two orders have nothing in common. */
const isOwnText =
  /^(task_id|workflow_id|reference|source_order_id|pharmacy_order_id|payment_intent_id|aggregate_id|fact|record|created_by_task|run_workflow_id)$/;

/**
 * Adds `rows` closed rows to each of the grown tables: copies of one that the system has left, of as many orders, each
 * a second further in the past. Row n of one table belongs to row n of the others. Statistics are made at the end.
 */
export async function addPast(sql: Sql, rows: number): Promise<void> {
  await sql`set statement_timeout = 0`;
  for (const [table, isClosed] of Object.entries(grownTables)) await copy(sql, table, isClosed, rows);
  await sql`vacuum analyze`;
}

async function copy(sql: Sql, table: string, isClosed: string, rows: number): Promise<void> {
  const [schema = '', name = ''] = table.split('.');
  const columns = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = ${schema} and table_name = ${name} and is_identity = 'NO' and is_generated = 'NEVER'
  `;
  const values = columns.map(
    ({ name: column, type }) => closed[`${table}.${column}`] ?? valueOf(column, type),
  );
  const { count } = await sql.begin(async (sql) => {
    // Nothing is checked against other tables, whose rows may come later.
    await sql`set local session_replication_role = replica`;
    return sql.unsafe(`
      insert into ${table} (${columns.map((column) => column.name).join(', ')})
      select ${values.join(', ')}
      from generate_series(1, ${rows}) as nth, (select * from ${table} where ${isClosed} limit 1) as copied
    `);
  });
  if (count !== rows) throw new Error(`there is no closed row of ${table} to copy`);
}

function valueOf(column: string, type: string): string {
  if (type === 'uuid')
    // Of version 4, as answers name it: a list that has any other kind of id is refused by its own contract.
    return `case when copied.${column} is not null then
      ('00000000-0000-4000-8000-' || lpad(to_hex(nth), 12, '0'))::uuid end`;
  if (type.startsWith('timestamp')) return `copied.${column} - make_interval(hours => 2, secs => nth)`;
  if (isOwnText.test(column)) return `case when copied.${column} is not null then md5(nth::text) end`;
  if (column === 'emr_patient_id') return `copied.${column} || '-' || nth % 10000`;
  if (column === 'refers_to') return `jsonb_build_object('taskId', 'past-' || nth)`;
  return `copied.${column}`;
}

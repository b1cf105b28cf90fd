import { createSql, type Queryable, type Sql } from '../../../db/client.js';
import { grownTables } from './tables.js';

/** Values of closed rows that are not those of the row they are copied from; `nth` is the row's number. */
const ownValues: [column: RegExp, value: string][] = [
  [/^orchestrator\.refill_schedule\.status$/, "'completed'"],
  [/^router\.submission\.status$/, "'delivered'"],
  // The retention has emptied what is older than seven days.
  [/\.outbox\.detail$/, 'case when nth < 600000 then copied.detail end'],
  [/_event\.actor$/, "'past-' || nth % 100"],
  [/^worklist\.work_item\.refers_to$/, "jsonb_build_object('taskId', 'past-' || nth)"],
  [/\.mrn$/, "lpad(nth::text, 10, '0')"],
  // A few organizations have them all.
  [/\.organization_id$/, "('00000000-0000-4000-8000-' || lpad((nth % 10)::text, 12, '0'))::uuid"],
  [/\.patient_directory\.email_lower$/, "'past-' || nth || '@example.test'"],
  [/\.(email|email_lower|recipient_email)$/, "'past-' || nth % 10000 || '@example.test'"],
  [/\.recipient_phone$/, "'+1302' || lpad((nth % 10000)::text, 7, '0')"],
  // There is one row of them.
  [
    /\.(payment_profile|patient_departure|redemption|patient_directory|orphan_log)\.emr_patient_id$/,
    "'past-' || nth",
  ],
  [/\.emr_patient_id$/, "'past-' || nth % 10000"],
];

/** Ids by which rows of one order name each other, in whatever table; those of two orders have nothing in common. */
const isOwnText =
  /^(id|task_id|task_key|workflow_id|reference|source_order_id|pharmacy_order_id|payment_intent_id|aggregate_id|fact|record|created_by_task|run_workflow_id|case_id|idempotency_key|resource_id|target_resource_id)$/;

/** While the past is written nothing of it has to outlive the machine. */
const careless = { fsync: 'off', full_page_writes: 'off', max_wal_size: '16GB', checkpoint_timeout: '1h' };

/** Tables that are written at once: one for each of two cores. */
const atOnce = 2;

/**
 * Adds `rows` closed rows to each of the grown tables: copies of one that the system has left, of as many orders, each
 * a second further in the past. Row n of one table belongs to row n of the others. Statistics are made at the end.
 */
export async function addPast(databaseUrl: string, rows: number): Promise<void> {
  const sql = createSql(databaseUrl, { applicationName: 'past', max: 1 });
  const set = async (change: (name: string, value: string) => string) => {
    for (const [name, value] of Object.entries(careless))
      await sql.unsafe(`alter system ${change(name, value)}`);
    await sql`select pg_reload_conf()`;
  };
  await set((name, value) => `set ${name} = '${value}'`);
  try {
    const left = Object.keys(grownTables);
    await Promise.all(Array.from({ length: atOnce }, () => fill(databaseUrl, left, rows)));
  } finally {
    await set((name) => `reset ${name}`);
    await sql`set statement_timeout = 0`;
    await sql`checkpoint`;
    await sql.end();
  }
}

/** Takes one table after the other, until none is left. */
async function fill(databaseUrl: string, left: string[], rows: number): Promise<void> {
  const sql = createSql(databaseUrl, { applicationName: 'past', max: 1 });
  await sql`set statement_timeout = 0`;
  await sql`set maintenance_work_mem = '512MB'`;
  for (let table = left.shift(); table !== undefined; table = left.shift()) {
    await copy(sql, table, rows);
    await sql.unsafe(`vacuum analyze ${table}`);
  }
  await sql.end();
}

/** Its indexes are filled once the rows are there, each in its own order: a tenth of the time. */
async function copy(sql: Sql, table: string, rows: number): Promise<void> {
  const [schema = '', name = ''] = table.split('.');
  const columns = await columnsOf(sql, schema, name);
  await sql.begin(async (sql) => {
    // Nobody else writes into it without its indexes.
    await sql.unsafe(`lock table ${table} in access exclusive mode`);
    await sql`update pg_index set indisready = false where indrelid = ${table}::regclass`;
    // Nothing is checked against other tables, whose rows may come later.
    await sql`set local session_replication_role = replica`;
    const { count } = await sql.unsafe(`
      insert into ${table} (${columns.map((column) => column.name).join(', ')})
      select ${columns.map((column) => valueOf(table, column)).join(', ')}
      from generate_series(${rows}, 1, -1) as nth, (select * from ${table} where ${grownTables[table]} limit 1) as copied
    `);
    if (count !== rows) throw new Error(`there is no closed row of ${table} to copy`);
    // Makes them ready too.
    await sql.unsafe(`reindex table ${table}`);
  });
}

interface Column {
  name: string;
  type: string;
}

const columnsOf = (sql: Queryable, schema: string, table: string) => sql<Column[]>`
  select column_name as name, data_type as type from information_schema.columns
  where table_schema = ${schema} and table_name = ${table} and is_identity = 'NO' and is_generated = 'NEVER'
`;

function valueOf(table: string, { name, type }: Column): string {
  const [, own] = ownValues.find(([column]) => column.test(`${table}.${name}`)) ?? [];
  if (own !== undefined) return own;
  const copied = `copied.${name}`;
  const filled = (value: string) => `case when ${copied} is not null then ${value} end`;
  // Version 4, as answers have it: the contract of a list rejects any other kind of id.
  if (type === 'uuid')
    return filled("overlay(overlay(md5(nth::text) placing '4' from 13) placing '8' from 17)::uuid");
  if (type.startsWith('timestamp')) return `${copied} - make_interval(hours => 2, secs => nth)`;
  return isOwnText.test(name) ? filled('md5(nth::text)') : copied;
}

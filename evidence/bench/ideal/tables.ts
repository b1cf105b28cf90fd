import postgres from 'postgres';

export type Sql = postgres.Sql;

/** One row per business fact, which its key claims before an external call. */
const tables = `
  create table medication (
    name text primary key, title text not null, sku text not null, catalog_id text not null, sig text not null,
    quantity int not null, days_supply int not null, refills int not null, amount_cents int not null
  );
  create table profile (patient_id text primary key, customer_id text not null, payment_method_id text not null);
  create table physician (state text primary key, pharmacy text not null, first_name text, last_name text, npi text);
  create table task (
    id text primary key, patient_id text not null, status text not null default 'running', result jsonb,
    created_at timestamptz not null default now(), ended_at timestamptz
  );
  create table submission (
    id text primary key, payload jsonb not null, pharmacy text not null, status text not null default 'claimed',
    pharmacy_order_id text, created_at timestamptz not null default now(), ended_at timestamptz
  );
  create table payment (
    task_id text primary key, customer_id text not null, amount_cents int not null, status text not null default 'pending',
    intent_id text, created_at timestamptz not null default now()
  );
  create table shipment (submission_id text primary key, shipment_id text not null, tracking_number text not null);
  create table notification (
    id text primary key, kind text not null, status text not null default 'claimed', email_id text, sms_id text,
    created_at timestamptz not null default now()
  );
  insert into medication values
    ('semaglutide', 'Semaglutide 5mg/mL', '12565', 'PB-SEMA-5', 'inject 10 units (0.25mg) SQ weekly', 2, 30, 3, 29900);
  insert into physician values
    ('NY', 'pharmacy_c', 'Alex', 'Rivera', '1234567893'), ('TX', 'pharmacy_b', 'Blair', 'Chen', '1245319599'),
    ('WA', 'pharmacy_a', 'Blair', 'Chen', '1245319599');
`;

interface Profile {
  patientId: string;
  customerId: string;
  paymentMethodId: string;
}

/** Creates the tables in an empty database and copies the saved cards. */
export async function makeTables(url: string, profiles: readonly Profile[]): Promise<void> {
  const sql = connect(url);
  await sql.unsafe(tables);
  await sql`insert into profile ${sql(profiles, 'patientId', 'customerId', 'paymentMethodId')}`;
  await sql.end();
}

export const connect = (url: string): Sql => postgres(url, { max: 20, transform: postgres.camel });

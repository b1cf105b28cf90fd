-- The daily close (D131). A row is `running` until each of its lines is written; then only `settled` of a line changes.
create table orchestrator.close (
  date date primary key,
  state text not null default 'running' check (state in ('running', 'closed')),
  -- the last reference whose lines are written
  matched_to text not null default '',
  orders integer not null default 0,
  charges integer not null default 0,
  charged_cents bigint not null default 0,
  refunded_cents bigint not null default 0,
  labels integer not null default 0,
  matched integer not null default 0,
  explained integer not null default 0,
  differences integer not null default 0,
  opened_at timestamptz not null default now(),
  closed_at timestamptz
);

-- What happened outside and here, each in the one close that has it. Charges, refunds and labels are the outside's;
-- `payment` and `repaid` are ours.
create table orchestrator.close_fact (
  kind text not null check (kind in ('order', 'charge', 'refund', 'label', 'payment', 'repaid')),
  id text not null,
  date date not null references orchestrator.close,
  -- what it is matched under: our order's reference, or the outside's id
  reference text collate "C" not null,
  -- the charge of a refund, the intent of a charge, the state of an order
  detail text,
  cents integer not null default 0,
  at timestamptz not null,
  -- of an order, which the figures of a month count by
  pharmacy text,
  primary key (kind, id)
);
create index close_fact_of_day on orchestrator.close_fact (date, reference);
create index close_fact_of_reference on orchestrator.close_fact (reference);
create index close_fact_orders on orchestrator.close_fact (date, pharmacy) where kind = 'order';

-- What pharmacies bill (D133). A row is `running` until each of its lines is written.
create table orchestrator.statement (
  id uuid primary key default uuidv7(),
  pharmacy text not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  -- of the bytes as received
  sha256 text not null,
  state text not null default 'running' check (state in ('running', 'reconciled')),
  -- the last order id at the pharmacy whose lines are written
  matched_to text not null default '',
  lines integer not null,
  billed_cents bigint not null,
  matched integer not null default 0,
  differences integer not null default 0,
  posted_at timestamptz not null default now(),
  removed_at timestamptz
);
create index statement_of_pharmacy on orchestrator.statement (pharmacy, from_day) where removed_at is null;
create index statement_running on orchestrator.statement (posted_at) where state = 'running' and removed_at is null;

create table orchestrator.statement_bill (
  statement_id uuid not null references orchestrator.statement,
  -- the place in the statement, from 0
  n integer not null,
  pharmacy_order_id text collate "C" not null,
  -- a credit is negative
  amount_cents integer not null,
  shipped_on date,
  -- whose month it counts in
  day date not null,
  primary key (statement_id, n)
);
create index statement_bill_of_statement on orchestrator.statement_bill (statement_id, pharmacy_order_id);
create index statement_bill_of_order on orchestrator.statement_bill (pharmacy_order_id);
create index statement_bill_of_day on orchestrator.statement_bill (day);

-- The orders that the pharmacy shipped in those days, as the router has them.
create table orchestrator.statement_order (
  statement_id uuid not null references orchestrator.statement,
  submission_id uuid not null,
  pharmacy_order_id text collate "C" not null,
  -- null for an order of another client of the router
  reference text,
  article text,
  status text not null,
  shipped_on date,
  primary key (statement_id, submission_id)
);
create index statement_order_of_statement on orchestrator.statement_order (statement_id, pharmacy_order_id);

-- The lines of a close or a statement.
create table orchestrator.close_line (
  id uuid primary key default uuidv7(),
  date date references orchestrator.close,
  reference text not null,
  task_id text,
  state text not null check (state in ('matched', 'explained', 'difference')),
  kind text,
  because text,
  ours jsonb,
  theirs jsonb,
  settled jsonb,
  statement_id uuid references orchestrator.statement,
  check (num_nonnulls(date, statement_id) = 1)
);
create index close_line_of_day on orchestrator.close_line (date, id);
create index close_line_open on orchestrator.close_line (date) where state = 'difference' and settled is null;
create index close_line_of_statement on orchestrator.close_line (statement_id, id) where statement_id is not null;

create table orchestrator.price (
  pharmacy text not null,
  article text not null,
  from_day date not null,
  cents integer not null check (cents >= 0),
  primary key (pharmacy, article, from_day)
);

grant select, insert, update on orchestrator.close, orchestrator.statement, orchestrator.price to scriptrail_orchestrator;
grant select, insert on orchestrator.close_fact, orchestrator.close_line, orchestrator.statement_bill,
  orchestrator.statement_order to scriptrail_orchestrator;
grant update (settled) on orchestrator.close_line to scriptrail_orchestrator;

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
  primary key (kind, id)
);
create index close_fact_of_day on orchestrator.close_fact (date, reference);
create index close_fact_of_reference on orchestrator.close_fact (reference);

create table orchestrator.close_line (
  id uuid primary key default uuidv7(),
  date date not null references orchestrator.close,
  reference text not null,
  task_id text,
  state text not null check (state in ('matched', 'explained', 'difference')),
  kind text,
  because text,
  ours jsonb,
  theirs jsonb,
  settled jsonb
);
create index close_line_of_day on orchestrator.close_line (date, id);
create index close_line_open on orchestrator.close_line (date) where state = 'difference' and settled is null;

grant select, insert, update on orchestrator.close to scriptrail_orchestrator;
grant select, insert on orchestrator.close_fact, orchestrator.close_line to scriptrail_orchestrator;
grant update (settled) on orchestrator.close_line to scriptrail_orchestrator;

-- What was charged and given back on a day.
create index payment_by_paid on orchestrator.payment (paid_at) where paid_at is not null;
create index payment_by_refund on orchestrator.payment (updated_at) where refunded_cents > 0;

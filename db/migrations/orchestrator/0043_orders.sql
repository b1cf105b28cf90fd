-- Every reference under which an order of a task went, or goes, to the router: the task's own first, `<task>#<n>` after
-- a reroute. A reference stands for one task, and a task has one order at any moment (D105).
create table orchestrator.order_reference (
  reference text primary key,
  task_id text not null,
  n integer not null check (n > 0),
  -- asked for by name at a reroute; null: the patient's state decides
  pharmacy text,
  -- the router's id, once an order has moved on from or to this reference
  submission_id uuid,
  -- freed: given back by the pharmacy, or never taken by it
  state text not null default 'live' check (state in ('live', 'freed')),
  created_at timestamptz not null default now(),
  -- when the pharmacy of a live order said that it does not have it (D138); null while the order is there
  missing_since timestamptz,
  unique (task_id, n)
);
create unique index order_reference_live on orchestrator.order_reference (task_id) where state = 'live';

-- A request to take a task's order back, and the pharmacy's answer; of a task there is one, the newest (D104).
create table orchestrator.cancellation (
  task_id text primary key references orchestrator.task,
  -- the run whose order it was
  run_id uuid not null,
  state text not null check (state in ('pending', 'approved', 'denied')),
  -- the code of a denial
  reason text,
  -- what whoever asked said; null where the pharmacy did it by itself
  request_reason text,
  stop_refills boolean not null default false,
  refills_cancelled integer not null default 0,
  requested_by text,
  requested_at timestamptz not null default now(),
  answered_at timestamptz,
  -- a person gave up a failed approval, so the task is cancelled even though it has no order (D137)
  without_order boolean not null default false,
  -- how many replacements were cancelled with the task
  replacements_cancelled integer not null default 0
);
create index cancellation_by_run on orchestrator.cancellation (run_id);

-- Orders that replace a shipped order of a task or a refill (D120), `<task>~<n>`.
create table orchestrator.replacement (
  reference text primary key,
  -- the task, or the reference of a refill
  task_id text not null references orchestrator.task,
  -- the run whose order is replaced
  run_id uuid not null,
  n integer not null check (n > 0),
  reason text not null,
  paid_by text not null check (paid_by in ('pharmacy', 'carrier', 'company', 'patient')),
  note text,
  -- an address other than the first order's
  ship_to jsonb,
  pharmacy text not null,
  -- the order with the prescription
  source_submission_id uuid not null,
  submission_id uuid,
  pharmacy_order_id text,
  state text not null default 'pending' check (state in ('pending', 'ordered', 'unknown', 'rejected', 'cancelled')),
  -- set while a run works on it
  running_since timestamptz default now(),
  requested_by text,
  created_at timestamptz(3) not null default now(),
  -- of the request that ordered it, which finds it again
  request_key text unique,
  unique (task_id, n)
);
create index replacement_running on orchestrator.replacement (running_since) where running_since is not null;
create index replacement_by_run on orchestrator.replacement (run_id);
create index replacement_by_submission on orchestrator.replacement (submission_id) where submission_id is not null;
-- The daily sweep for refunds looks for these alone.
create index replacement_cancelled on orchestrator.replacement (reference) where state = 'cancelled';

create table orchestrator.shipment (
  submission_id uuid primary key,
  task_id text not null,
  pharmacy text not null,
  state text not null check (state in ('awaiting_pharmacy', 'label_created', 'shipped', 'delivered', 'cancelled')),
  shipment_id text,
  tracking_number text,
  carrier text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- what a shipment tells its patient, decided once per state (D39)
  emr_patient_id text,
  shipped_at timestamptz,
  is_first_order boolean
);
create index shipment_by_task on orchestrator.shipment (task_id);
create index shipment_by_patient on orchestrator.shipment (emr_patient_id);

-- The parcels of an order, as its pharmacy named them (D155). `shipment_id` is the shipping service's record.
create table orchestrator.parcel (
  submission_id uuid not null references orchestrator.shipment,
  n integer not null check (n > 0),
  tracking_number text not null,
  carrier text,
  shipment_id text,
  at timestamptz not null default now(),
  primary key (submission_id, n),
  unique (submission_id, tracking_number)
);

-- The pharmacy's own id of an order, by patient (page 1, Other stored records).
create table orchestrator.pharmacy_case (
  pharmacy text not null,
  case_id text not null,
  emr_patient_id text not null,
  submission_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (pharmacy, case_id)
);
create index pharmacy_case_by_patient on orchestrator.pharmacy_case (emr_patient_id);
create index pharmacy_case_of_submission on orchestrator.pharmacy_case (submission_id);

grant select, insert, update on orchestrator.order_reference, orchestrator.replacement, orchestrator.shipment,
  orchestrator.parcel, orchestrator.pharmacy_case to scriptrail_orchestrator;
grant select, insert, update, delete on orchestrator.cancellation to scriptrail_orchestrator;

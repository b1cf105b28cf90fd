create schema orchestrator;
grant usage on schema orchestrator to scriptrail_orchestrator;

-- One row a task: whoever claims it approves or denies it; the guard that outlives Temporal's retention (D32).
create table orchestrator.task (
  task_id text primary key,
  kind text not null check (kind in ('approve', 'deny')),
  state text not null check (state in ('running', 'completed', 'failed', 'denied')),
  details_hash text not null,
  run_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Every run ever made, from its first moment (D33); its id is Temporal's first run id.
create table orchestrator.run (
  id uuid primary key,
  task_id text not null,
  workflow_id text not null,
  medication text not null,
  emr_patient_id text not null,
  status text not null check (status in ('pending', 'completed', 'failed', 'denied')),
  completed_steps text[] not null default '{}',
  failed_step text,
  error text,
  warnings text[] not null default '{}',
  result jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index run_by_task on orchestrator.run (task_id, created_at desc);
create index run_pending on orchestrator.run (created_at) where status = 'pending';

-- Takes the place of the static entry of the same key (D31).
create table orchestrator.medication_config (
  type text primary key,
  drug_name text not null,
  sig text not null,
  quantity_ml numeric not null check (quantity_ml > 0),
  refills integer not null default 3 check (refills >= 0),
  days_supply integer not null default 28 check (days_supply > 0),
  price_cents integer not null check (price_cents >= 0),
  indication text,
  clinical_justification text
);

-- The card a patient saved at intake, and what was agreed (D37).
create table orchestrator.payment_profile (
  emr_patient_id text primary key,
  customer_id text not null,
  payment_method_id text not null,
  coupon_id text,
  amount_cents integer check (amount_cents >= 0),
  currency text not null default 'usd',
  updated_at timestamptz not null default now()
);

-- The payment state of a task. The amount is fixed when the row is made; `attempt` grows only after a decline.
create table orchestrator.payment (
  task_id text primary key,
  emr_patient_id text not null,
  attempt integer not null default 1 check (attempt > 0),
  customer_id text,
  payment_method_id text,
  payment_intent_id text,
  coupon_id text,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'usd',
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payment_by_patient on orchestrator.payment (emr_patient_id, created_at desc);

create table orchestrator.shipment (
  submission_id uuid primary key,
  task_id text not null,
  pharmacy text not null,
  state text not null check (state in ('awaiting_pharmacy', 'label_created', 'shipped', 'delivered', 'cancelled')),
  shipment_id text,
  tracking_number text,
  carrier text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index shipment_by_task on orchestrator.shipment (task_id);

grant select, insert, update on all tables in schema orchestrator to scriptrail_orchestrator;

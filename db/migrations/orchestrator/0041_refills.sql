create table orchestrator.refill_schedule (
  id uuid primary key default uuidv7(),
  emr_patient_id text not null,
  medication text not null,
  dosage text,
  status text not null default 'active' check (status in ('active', 'paused', 'cancelled', 'completed')),
  total_refills_allowed integer not null check (total_refills_allowed >= 0),
  refills_sent integer not null default 0 check (refills_sent >= 0),
  days_supply integer not null default 30 check (days_supply > 0),
  last_fill_date date not null,
  next_fill_date date not null,
  -- The approval that made it; null for one made over the API (D40).
  created_by_task text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index refill_schedule_due on orchestrator.refill_schedule (next_fill_date, id) where status = 'active';
create index refill_schedule_by_patient on orchestrator.refill_schedule (emr_patient_id, medication);

-- One row a check and schedule that was due when the check began; `processed` is null until its turn (D41).
create table orchestrator.refill_check_result (
  check_id uuid not null,
  position integer not null,
  schedule_id uuid not null references orchestrator.refill_schedule,
  processed boolean,
  reason text,
  primary key (check_id, position),
  unique (check_id, schedule_id)
);

-- A refill claims its reference in the same table as an approval its task: one guard for all (D41).
alter table orchestrator.task drop constraint task_kind_check;
alter table orchestrator.task add constraint task_kind_check check (kind in ('approve', 'deny', 'refill'));

-- What a shipment tells its patient, decided once per state (D39).
alter table orchestrator.shipment add column emr_patient_id text;
alter table orchestrator.shipment add column shipped_at timestamptz;
alter table orchestrator.shipment add column is_first_order boolean;
create index shipment_by_patient on orchestrator.shipment (emr_patient_id) where shipped_at is not null;

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

-- Every call to another party: which, for what, and how it ended; nothing about a patient.
create table orchestrator.downstream_call (
  id uuid primary key default uuidv7(),
  type text not null,
  resource text not null,
  method text not null,
  run_workflow_id text,
  status integer,
  success boolean not null,
  error text,
  duration_ms integer not null,
  created_at timestamptz not null default now()
);
create index downstream_call_by_time on orchestrator.downstream_call (created_at);

-- In milliseconds, as it stands on the wire: a page ends between two of them.
alter table orchestrator.run alter column created_at type timestamptz(3), alter column updated_at type timestamptz(3);
create index run_by_time on orchestrator.run (created_at desc, id desc);
create index run_by_workflow on orchestrator.run (workflow_id) where status = 'pending';

grant select, insert, update on all tables in schema orchestrator to scriptrail_orchestrator;

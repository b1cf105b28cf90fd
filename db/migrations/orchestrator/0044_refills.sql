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
  updated_at timestamptz not null default now(),
  -- the key of whoever asked for its present state (D88); null: nobody over the API
  requested_by text,
  -- counts only while the schedule is paused (D117); null there means that an operator asked for the pause
  paused_reason text
    check (paused_reason in ('asked', 'patient_inactive', 'patient_merged', 'patient_deceased', 'patient_archived')),
  -- the next refills: changed directions, another address, skipped ones (D119, D145). Null: the medication's own.
  quantity numeric check (quantity > 0),
  skipped integer not null default 0,
  skip_reason text,
  -- the address of the next refills, and of how many; null: the EMR's
  ship_to jsonb,
  ship_to_fills integer check (ship_to_fills > 0),
  -- the number of the refill that the patient was last told of before it was due (D121)
  noticed_refill integer,
  -- whose it is (D140); '' is the default client
  client text not null default '',
  check ((ship_to is null) = (ship_to_fills is null))
);
create index refill_schedule_due on orchestrator.refill_schedule (next_fill_date, id) where status = 'active';
create index refill_schedule_by_patient on orchestrator.refill_schedule (emr_patient_id, medication);
create index refill_schedule_of_status on orchestrator.refill_schedule (status, id desc);
create index refill_schedule_of_patient on orchestrator.refill_schedule (emr_patient_id, id desc);
create index refill_schedule_by_client on orchestrator.refill_schedule (client, id desc) where client <> '';
-- A medication that a live schedule uses stays (D123).
create index refill_schedule_of_medication on orchestrator.refill_schedule (medication, id)
  where status in ('active', 'paused');

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

-- Every change of directions, by which the newest of each field holds, whatever the order of their arrival (D145). Without
-- a hold a person changed the schedule itself.
create table orchestrator.direction_change (
  id uuid primary key default uuidv7(),
  -- the approval whose refills change, or refill-<scheduleId>
  task_id text not null,
  -- of the plan, whose other phases keep their own directions; null without a plan
  phase integer,
  submission_id uuid,
  hold_id text,
  dosage text,
  quantity numeric,
  days_supply integer,
  at timestamptz not null default now(),
  unique (submission_id, hold_id)
);
create index direction_change_of_task on orchestrator.direction_change (task_id);

grant select, insert, update on orchestrator.refill_schedule, orchestrator.refill_check_result to scriptrail_orchestrator;
grant select, insert on orchestrator.direction_change to scriptrail_orchestrator;

-- The next refills of a schedule: changed directions, another address, skipped ones (D119, D145).
alter table orchestrator.refill_schedule
  -- null: the medication's own
  add column quantity numeric check (quantity > 0),
  add column skipped integer not null default 0,
  add column skip_reason text,
  -- the address of the next refills, and of how many; null: the EMR's
  add column ship_to jsonb,
  add column ship_to_fills integer check (ship_to_fills > 0),
  add check ((ship_to is null) = (ship_to_fills is null));

-- The address that the order of this run goes to instead of the EMR's.
alter table orchestrator.run add column ship_to jsonb;

-- Every change of directions, by which the newest of each field holds, whatever the order of their arrival. Without a
-- hold a person changed the schedule itself.
create table orchestrator.direction_change (
  id uuid primary key default uuidv7(),
  -- the approval whose refills change, or refill-<scheduleId>
  task_id text not null,
  submission_id uuid,
  hold_id text,
  dosage text,
  quantity numeric,
  days_supply integer,
  at timestamptz not null default now(),
  unique (submission_id, hold_id)
);
create index direction_change_of_task on orchestrator.direction_change (task_id);

grant select, insert on orchestrator.direction_change to scriptrail_orchestrator;

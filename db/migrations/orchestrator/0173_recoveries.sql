-- Failed runs that are tried again together (D112): what an operator chose, and what became of each. No texts: why a run
-- failed stands with the run.
create table orchestrator.recovery (
  id uuid primary key,
  step text not null,
  per_minute integer not null check (per_minute > 0),
  state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  -- the key of whoever asked
  requested_by text not null,
  created_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index recovery_running on orchestrator.recovery (created_at) where state = 'running';

create table orchestrator.recovery_item (
  recovery_id uuid not null references orchestrator.recovery,
  position integer not null,
  -- the run that had failed, and the task or refill that it held
  run_id uuid not null,
  reference text not null,
  outcome text check (outcome in ('succeeded', 'failed', 'skipped')),
  primary key (recovery_id, position)
);
create index recovery_item_left on orchestrator.recovery_item (recovery_id, position) where outcome is null;

-- When a patient was told after all whom step 7 could not tell, and how often that was refused.
alter table orchestrator.run
  add column notified_at timestamptz(3),
  add column notice_attempt integer not null default 0;
create index run_by_end on orchestrator.run (updated_at) where failed_step is not null or warnings <> '{}';

grant select, insert, update on orchestrator.recovery, orchestrator.recovery_item to scriptrail_orchestrator;

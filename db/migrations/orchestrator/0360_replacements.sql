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
  unique (task_id, n)
);
create index replacement_running on orchestrator.replacement (running_since) where running_since is not null;
create index replacement_by_run on orchestrator.replacement (run_id);
create index replacement_by_submission on orchestrator.replacement (submission_id) where submission_id is not null;

-- How many replacements were cancelled with the task.
alter table orchestrator.cancellation add column replacements_cancelled integer not null default 0;

grant select, insert, update on orchestrator.replacement to scriptrail_orchestrator;
grant select, update (note, ship_to) on orchestrator.replacement to scriptrail_retention;

-- While a run takes a task's order back, or moves it to another pharmacy, no other run claims the task (D104, D105). The
-- flag stands in the task's own row, so that whoever claims the task and whoever takes its order back meet in one row.
alter table orchestrator.task
  add column changing text check (changing in ('cancellation', 'reroute')),
  add column changing_since timestamptz,
  -- where it is being moved
  add column reroute_to text,
  -- it was cancelled, and stays so: nothing is ordered or charged for it any more
  add column cancelled_at timestamptz;
create index task_changing on orchestrator.task (changing_since) where changing is not null;

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
  answered_at timestamptz
);
create index cancellation_by_run on orchestrator.cancellation (run_id);

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
  unique (task_id, n)
);
create unique index order_reference_live on orchestrator.order_reference (task_id) where state = 'live';
insert into orchestrator.order_reference (reference, task_id, n) select task_id, task_id, 1 from orchestrator.task;

grant select, insert, update on orchestrator.cancellation, orchestrator.order_reference to scriptrail_orchestrator;
grant delete on orchestrator.cancellation to scriptrail_orchestrator;
grant select on orchestrator.cancellation, orchestrator.order_reference to scriptrail_retention;
grant update (request_reason) on orchestrator.cancellation to scriptrail_retention;

-- One row a task: whoever claims it approves or denies it; the guard that outlives Temporal's retention (D32). A refill
-- claims its reference here as well (D41).
create table orchestrator.task (
  task_id text primary key,
  kind text not null check (kind in ('approve', 'deny', 'refill')),
  state text not null check (state in ('running', 'completed', 'failed', 'denied')),
  details_hash text not null,
  run_id uuid not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- While a run takes the order back, or moves it to another pharmacy, no other run claims the task (D104, D105). The flag
  -- stands in this row, so that whoever claims the task and whoever takes its order back meet in one row.
  changing text check (changing in ('cancellation', 'reroute')),
  changing_since timestamptz,
  -- where it is being moved
  reroute_to text,
  -- it was cancelled, and stays so: nothing is ordered or charged for it any more
  cancelled_at timestamptz,
  -- whose it is (D140); '' is the default client
  client text not null default '',
  -- the new address of an order that is being moved (D105), for a run that takes over from a lost one; null once it is moved
  reroute_ship_to jsonb
);
create index task_changing on orchestrator.task (changing_since) where changing is not null;
-- What is written of a run's outcome, and what the sweeps look for, stays as fast beside a million closed tasks.
create index task_by_run on orchestrator.task (run_id);
create index task_open_denial on orchestrator.task (updated_at) where kind = 'deny' and state = 'running';
create index task_cancelled on orchestrator.task (task_id) where cancelled_at is not null;

-- Every run ever made, from its first moment (D33); its id is Temporal's first run id. Times have milliseconds, as on the
-- wire: a page ends between two of them.
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
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- the key of whoever asked for it (D88); null: nobody over the API
  requested_by text,
  -- what a run needs to be carried on once it turns out that its order exists (D114): its directions, and the submission
  -- whose outcome is unknown, which becomes null when it is settled
  dosage text,
  unknown_submission_id uuid,
  -- when a label was settled whose answers were lost
  settled_at timestamptz(3),
  -- when a patient was told after all whom step 7 could not tell, and how often that was refused
  notified_at timestamptz(3),
  notice_attempt integer not null default 0,
  -- the address that the order goes to instead of the EMR's
  ship_to jsonb,
  client text not null default ''
);
create index run_by_task on orchestrator.run (task_id, created_at desc);
create index run_pending on orchestrator.run (created_at) where status = 'pending';
create index run_by_workflow on orchestrator.run (workflow_id) where status = 'pending';
create index run_unknown on orchestrator.run (unknown_submission_id) where unknown_submission_id is not null;
create index run_by_end on orchestrator.run (updated_at) where failed_step is not null or warnings <> '{}';
create index run_by_patient on orchestrator.run (emr_patient_id);
-- A page of a list that a filter leaves little of reads no more than the page.
create index run_by_time on orchestrator.run (created_at desc, id desc);
create index run_of_status on orchestrator.run (status, created_at desc, id desc);
create index run_with_warning on orchestrator.run (created_at desc, id desc) where warnings <> '{}';
create index run_by_client on orchestrator.run (client, created_at desc, id desc) where client <> '';
-- A task by the beginning of its own id, whosever it is (D134).
create index run_by_own_id on orchestrator.run ((substr(task_id, strpos(task_id, chr(31)) + 1)) collate "C");

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
-- A timeline counts the calls of each run's steps (D111).
create index downstream_call_of_run on orchestrator.downstream_call (run_workflow_id, created_at);

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

-- Requests with an Idempotency-Key that changes something of an order (D135). Kept for 30 days; nothing personal.
create table orchestrator.keyed_request (
  -- SHA-256 of the API key, the client and the Idempotency-Key
  id bytea primary key,
  -- SHA-256 of what is asked for, with the key: another request under the same key is a conflict
  digest bytea not null,
  -- what the request decided before it began, such as the number of a charge
  fact text,
  -- null until it is answered for good
  status smallint,
  -- null for a schedule, which a repeat shows as it is then
  answer text,
  created_at timestamptz not null default now()
);
create index keyed_request_by_age on orchestrator.keyed_request (created_at);

-- What the EMR reported on a task that we know (D44). No clinical content: that is in the EMR and in the bridge's log.
create table orchestrator.emr_event (
  event_id uuid primary key,
  task_id text not null,
  event text not null,
  -- what was done about it
  outcome text not null check (outcome in ('approval_started', 'recorded')),
  created_at timestamptz not null default now()
);
create index emr_event_of_task on orchestrator.emr_event (task_id, created_at);

-- The day that counts as today while somebody tries the system out (D146). Only development reads it.
create table orchestrator.clock (
  is_only boolean primary key default true check (is_only),
  today date not null
);

grant select, insert, update on orchestrator.task, orchestrator.run, orchestrator.downstream_call, orchestrator.recovery,
  orchestrator.recovery_item to scriptrail_orchestrator;
grant select, insert on orchestrator.emr_event to scriptrail_orchestrator;
grant select, insert, update, delete on orchestrator.keyed_request, orchestrator.clock to scriptrail_orchestrator;

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

grant select, insert on orchestrator.emr_event to scriptrail_orchestrator;

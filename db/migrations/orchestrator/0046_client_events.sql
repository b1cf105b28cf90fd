-- What became of a task, for the client that asked for it (D129). A row commits with its fact and has no number yet. One
-- pass at a time numbers what is committed, so that a reader by number misses nothing that commits late.
create table orchestrator.client_event (
  id uuid primary key default uuidv7(),
  -- the order of the facts: whoever changes a record holds its lock
  position bigint generated always as identity,
  client text not null default '',
  type text not null,
  at timestamptz(3) not null default now(),
  task_id text,
  plan_id uuid,
  data jsonb not null,
  -- business facts; a repeat is not recorded again
  fact text,
  -- from 1 without gaps per client; null until numbered
  sequence bigint,
  unique (client, fact)
);
create index client_event_unnumbered on orchestrator.client_event (position) where sequence is null;
create unique index client_event_read on orchestrator.client_event (client, sequence) where sequence is not null;
create index client_event_of_task on orchestrator.client_event (client, task_id, sequence) where sequence is not null;
create index client_event_aged on orchestrator.client_event (at);

-- The last number of a client.
create table orchestrator.client_stream (
  client text primary key,
  last_sequence bigint not null
);

-- Where the events of a client are delivered (D130); '' is the default client.
create table orchestrator.event_endpoint (
  client text primary key,
  url text not null,
  -- as the client named them, groups included; null: all
  types text[],
  -- signs the deliveries
  key_id text not null,
  state text not null check (state in ('enabled', 'failing', 'disabled')),
  delivered_up_to bigint not null,
  -- the first failure since the last success
  failing_since timestamptz(3),
  last_error text,
  -- the delivery under way: fixed before it is sent, so that the same bytes go again
  batch_id uuid,
  batch_events int,
  batch_up_to bigint,
  batch_body text,
  attempts int not null default 0,
  -- null: at once
  next_attempt_at timestamptz(3),
  -- counts the requests to try at once, which an older attempt does not delay
  series int not null default 1,
  changed_at timestamptz not null default now()
);

-- The work item of an order that was sent although it was cancelled: it names the task of a charge made again.
create index work_item_of_sent on orchestrator.work_item ((refers_to ->> 'submissionId'))
  where kind = 'shipped_after_cancel';

-- The task whose order, charge or refill has this reference, as its client named it: `refill-<schedule>` for a refill.
create function orchestrator.task_of(named text) returns text language sql stable as $$
  select coalesce(
    (
      select run.task_id
      from orchestrator.order_reference ref
      join orchestrator.task on task.task_id = ref.task_id
      join orchestrator.run on run.id = task.run_id
      where ref.reference = named
    ),
    (
      select run.task_id from orchestrator.replacement replaced
      join orchestrator.run on run.id = replaced.run_id
      where replaced.reference = named
    ),
    -- an order that was sent although it was cancelled is charged again under this reference (D155)
    (
      select refers_to ->> 'taskId' from orchestrator.work_item
      where kind = 'shipped_after_cancel' and refers_to ->> 'submissionId' = substring(named from '^shipped-after-cancel:(.+)$')
      limit 1
    ),
    named
  )
$$;

-- The client of a task or a plan (D140).
create function orchestrator.client_of(of_task text, of_plan uuid) returns text language sql stable as $$
  select coalesce(
    (select client from orchestrator.task where task.task_id = of_task),
    (
      select client from orchestrator.refill_schedule
      where id = coalesce(of_plan, substring(of_task from '^refill-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid)
    ),
    ''
  )
$$;

grant select, insert, update on orchestrator.client_event, orchestrator.client_stream to scriptrail_orchestrator;
grant select, insert, update, delete on orchestrator.event_endpoint to scriptrail_orchestrator;

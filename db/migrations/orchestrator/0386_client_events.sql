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

-- Wakes the relay that numbers the events.
create function orchestrator.wake_event_relay() returns trigger language plpgsql as $$
begin
  perform pg_notify('orchestrator_events', '');
  return null;
end
$$;
create trigger client_event_recorded after insert on orchestrator.client_event
  for each statement execute function orchestrator.wake_event_relay();

grant select, insert, update on orchestrator.client_event, orchestrator.client_stream to scriptrail_orchestrator;

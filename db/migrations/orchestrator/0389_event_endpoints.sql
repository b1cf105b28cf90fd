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
grant select, insert, update, delete on orchestrator.event_endpoint to scriptrail_orchestrator;

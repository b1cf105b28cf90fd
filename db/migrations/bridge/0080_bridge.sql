-- The EMR bridge (page 3): every webhook of the EMR as it came, and what is to be written back to the EMR.

-- Written before its signature is judged. The bytes never change afterwards: the role may fill in the rest only.
create table bridge.emr_webhook_events (
  id uuid primary key default gen_random_uuid(),
  -- to the millisecond, as a cursor carries it
  received_at timestamptz(3) not null default now(),
  -- false until it is shown to be valid
  signature_valid boolean not null default false,
  raw_body bytea not null,
  signature_header text,
  resource_type text,
  resource_id text,
  emr_event_name text,
  emr_event_timestamp timestamptz,
  dispatched_outbox_id uuid
);
create index emr_webhook_events_newest on bridge.emr_webhook_events (received_at desc, id desc);

create table bridge.emr_sync_attempts (
  id uuid primary key default gen_random_uuid(),
  -- holds an EMR id: the row's own id stands in workflow ids
  idempotency_key text not null unique,
  internal_event_name text not null,
  target_resource_type text not null,
  target_resource_id text not null,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed', 'abandoned')),
  attempts integer not null default 0,
  emr_response_status integer,
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  -- a retry that an operator asks for begins another series: its own patience of 24 h
  series integer not null default 1,
  first_attempt_at timestamptz,
  -- null: at once
  next_attempt_at timestamptz
);
create index emr_sync_attempts_newest on bridge.emr_sync_attempts (created_at desc, id desc);
create index emr_sync_attempts_pending on bridge.emr_sync_attempts (next_attempt_at) where status = 'pending';

grant select, insert on bridge.emr_webhook_events to scriptrail_bridge;
grant update (
  signature_valid, resource_type, resource_id, emr_event_name, emr_event_timestamp, dispatched_outbox_id
) on bridge.emr_webhook_events to scriptrail_bridge;
grant select, insert, update on bridge.emr_sync_attempts to scriptrail_bridge;

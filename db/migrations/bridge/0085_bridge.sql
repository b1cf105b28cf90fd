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
  dispatched_outbox_id uuid,
  -- only the beginning of the body was kept
  truncated boolean not null default false,
  -- when the body was overwritten, since it spoke of a patient who was erased
  erased_at timestamptz(3)
);
create index emr_webhook_events_newest on bridge.emr_webhook_events (received_at desc, id desc);
create index emr_webhook_events_unsigned on bridge.emr_webhook_events (received_at) where not signature_valid;
-- A page of a list that a filter leaves little of reads no more than the page.
create index emr_webhook_events_of_type on bridge.emr_webhook_events (resource_type, received_at desc, id desc);
-- A webhook that comes again, byte for byte, is found by its signature: of each only so many rows are stored.
create index emr_webhook_events_repeated on bridge.emr_webhook_events (signature_header) where signature_valid;

-- Webhooks that the EMR did not sign are kept within bounds (D94): of each the beginning, of an address so many an hour.
create table bridge.unsigned_webhooks (
  -- keyed hash of the network address
  address text not null,
  hour timestamptz not null,
  kept integer not null default 1,
  primary key (address, hour)
);

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
  next_attempt_at timestamptz,
  -- whose patient it is about; null: not known, and the superadmins' to see (D96)
  organization_id uuid,
  -- the directory's patient, whom a person looks for when a write-back fails (D115); null for rows of other records
  patient_id text
);
create index emr_sync_attempts_newest on bridge.emr_sync_attempts (created_at desc, id desc);
create index emr_sync_attempts_pending on bridge.emr_sync_attempts (next_attempt_at) where status = 'pending';
create index emr_sync_attempts_of_status on bridge.emr_sync_attempts (status, created_at desc, id desc);
create index emr_sync_attempts_of_event on bridge.emr_sync_attempts (internal_event_name, created_at desc, id desc);
-- An admin's organizations are texts, which an index of ids does not know.
create index emr_sync_attempts_of_organization
  on bridge.emr_sync_attempts ((organization_id::text), created_at desc, id desc);

-- The log stays as it is, whatever a later grant might let through: a body is only ever erased, and that by the
-- retention role; what the EMR signed is never deleted.
create function bridge.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;
create trigger body_only_erased before update of raw_body on bridge.emr_webhook_events for each row
  when (current_user <> 'scriptrail_retention' or new.erased_at is null) execute function bridge.refuse_change();
create trigger signed_never_deleted before delete on bridge.emr_webhook_events for each row
  when (old.signature_valid) execute function bridge.refuse_change();

grant select, insert on bridge.emr_webhook_events to scriptrail_bridge;
grant update (
  signature_valid, resource_type, resource_id, emr_event_name, emr_event_timestamp, dispatched_outbox_id
) on bridge.emr_webhook_events to scriptrail_bridge;
grant select, insert, update on bridge.emr_sync_attempts, bridge.unsigned_webhooks to scriptrail_bridge;

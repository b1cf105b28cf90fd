-- Webhooks that the EMR did not sign are kept within bounds (D94): of each the beginning, of an address so many an hour.
alter table bridge.emr_webhook_events
  -- only the beginning of the body was kept
  add column truncated boolean not null default false,
  -- when the body was overwritten, since it spoke of a patient who was erased
  add column erased_at timestamptz(3);
create index emr_webhook_events_unsigned on bridge.emr_webhook_events (received_at) where not signature_valid;

create table bridge.unsigned_webhooks (
  -- keyed hash of the network address
  address text not null,
  hour timestamptz not null,
  kept integer not null default 1,
  primary key (address, hour)
);
grant select, insert, update on bridge.unsigned_webhooks to scriptrail_bridge;

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

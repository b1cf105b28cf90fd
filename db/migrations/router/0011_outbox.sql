-- What the router has to make known. A row commits with the change it tells of and is shipped afterwards, in order
-- per aggregate; the relay finds rows by their state, never by the last number it has seen.
create table router.outbox (
  -- also the token by which a consumer knows a repeat
  id uuid primary key default gen_random_uuid(),
  sequence bigint generated always as identity unique,
  source text not null,
  detail_type text not null,
  aggregate_id text not null,
  organization_id uuid,
  detail jsonb not null,
  -- of the insertion, which happens under the aggregate's lock: the transaction may have begun before its predecessor's
  time timestamptz not null default clock_timestamp(),
  shipped_at timestamptz,
  attempts integer not null default 0,
  retry_at timestamptz not null default now(),
  last_error text,
  -- given up; the later rows of its aggregate wait until it is driven again
  dead_at timestamptz
);
create index outbox_unshipped on router.outbox (sequence) where shipped_at is null;
create index outbox_unshipped_aggregate on router.outbox (aggregate_id, sequence) where shipped_at is null;

grant select, insert, update on router.outbox to scriptrail_router;

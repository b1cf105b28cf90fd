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
grant select, insert, update, delete on orchestrator.keyed_request to scriptrail_orchestrator;

-- A replacement is found again by the request that ordered it.
alter table orchestrator.replacement add column request_key text unique;

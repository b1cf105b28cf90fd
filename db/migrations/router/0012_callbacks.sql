-- Callbacks as a durable queue (D26): what is delivered next, when, and every attempt that was made.
alter table router.submission
  -- the receiver answered 410: nothing of this submission is told any more
  add column callbacks_stopped boolean not null default false;

alter table router.callback
  -- a redelivery begins another series: its own attempts, its own 72 h
  add column series integer not null default 1,
  add column attempts integer not null default 0,
  add column first_attempt_at timestamptz,
  -- null: as soon as it is its turn
  add column next_attempt_at timestamptz;

create table router.callback_attempt (
  id uuid primary key,
  callback_id uuid not null references router.callback,
  at timestamptz not null,
  status integer,
  error text,
  duration_ms integer not null
);
create index callback_attempt_of on router.callback_attempt (callback_id, at);

-- A submission's list, newest first.
create index submission_of_client on router.submission (api_key_id, created_at desc, id desc);

-- Whose request a body is, so that one left behind by a crash is told from one that a run will still take.
alter table router.received_payload add column submission_id uuid;

grant select, insert on router.callback_attempt to scriptrail_router;
grant update on router.callback to scriptrail_router;
grant insert, update on router.route to scriptrail_router;

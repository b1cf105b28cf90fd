-- Callbacks as a durable queue (D26): what is delivered next, when, and every attempt that was made.
create table router.callback (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null references router.submission,
  sequence integer not null,
  kind text not null check (kind in ('initial', 'update', 'hold')),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'dead', 'stopped')),
  payload text not null,
  created_at timestamptz not null default now(),
  -- a redelivery begins another series: its own attempts, its own 72 h
  series integer not null default 1,
  attempts integer not null default 0,
  first_attempt_at timestamptz,
  -- null: as soon as it is its turn
  next_attempt_at timestamptz,
  unique (submission_id, sequence)
);
create index callback_pending on router.callback (created_at) where state = 'pending';
-- Counted whenever the process is asked for its metrics.
create index callback_dead on router.callback (created_at) where state = 'dead';

create table router.callback_attempt (
  id uuid primary key,
  callback_id uuid not null references router.callback,
  at timestamptz not null,
  status integer,
  error text,
  duration_ms integer not null
);
create index callback_attempt_of on router.callback_attempt (callback_id, at);
create index callback_attempt_at on router.callback_attempt (at);

grant select, insert, update on router.callback to scriptrail_router;
grant select, insert on router.callback_attempt to scriptrail_router;

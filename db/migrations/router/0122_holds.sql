-- What the pharmacies ask of an order (D100), one row for each question, in the order of their coming.
create table router.hold (
  submission_id uuid not null references router.submission,
  -- the pharmacy's
  hold_id text not null,
  position bigint generated always as identity,
  -- null: its release came first, and it has not come yet
  code text,
  pharmacy_code text,
  message text,
  -- as the pharmacy wrote it
  until text,
  state text not null check (state in ('open', 'answered', 'released')),
  opened_at timestamptz not null default now(),
  -- the answer that is on its way to the pharmacy while answered_at is null, or that the pharmacy has taken
  answer text check (answer in ('proceed', 'change', 'decline')),
  answer_text text,
  changes jsonb,
  answer_hash text,
  answered_at timestamptz,
  -- of the answers that were tried; part of the pharmacy's idempotency key
  number integer not null default 0,
  -- what the pharmacy said to the latest one where it refused it
  refusal text,
  -- when a sweep last saw to its run
  looked_at timestamptz not null default now(),
  primary key (submission_id, hold_id)
);
create index hold_unreleased on router.hold (looked_at) where state <> 'released';
create index hold_opened on router.hold (opened_at);

alter table router.callback
  drop constraint callback_kind_check,
  add check (kind in ('initial', 'update', 'hold'));

grant select, insert, update on router.hold to scriptrail_router;
-- Erasing (D94): what pharmacy and client wrote to each other.
grant select, update (message, answer_text, changes, refusal) on router.hold to scriptrail_retention;

-- Prescriptions that their clients take back (D101): one row for each submission, asked again after a denial.
create table router.cancellation (
  submission_id uuid primary key references router.submission,
  -- of the request; part of the pharmacy's idempotency key, since a denial uses that up
  number integer not null default 1,
  state text not null check (state in ('pending', 'approved', 'denied')),
  -- the denial's code
  reason text check (reason in ('already_shipped', 'already_dispensed', 'not_found', 'other')),
  request_reason text,
  requested_at timestamptz not null default now(),
  answered_at timestamptz,
  -- the pharmacy has reported so while its answer was awaited
  shipped_meanwhile boolean not null default false,
  check ((state = 'denied') = (reason is not null)),
  check ((state = 'pending') = (answered_at is null))
);
create index cancellation_pending on router.cancellation (requested_at) where state = 'pending';

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
  -- the changes of the answer hold for this order only, and not for the refills after it (D145)
  once_only boolean not null default false,
  -- released because the pharmacy did not have the order (D138), and not by its word
  is_lost boolean not null default false,
  primary key (submission_id, hold_id)
);
create index hold_unreleased on router.hold (looked_at) where state <> 'released';
create index hold_opened on router.hold (opened_at);

grant select, insert, update on router.cancellation, router.hold to scriptrail_router;

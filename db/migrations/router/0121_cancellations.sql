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

grant select, insert, update on router.cancellation to scriptrail_router;
-- Erasing (D94): a reason is a client's own text.
grant select, update (request_reason) on router.cancellation to scriptrail_retention;

-- An intake that was taken and waits for the one attempt at the EMR that comes before its submission (D63). Only its id
-- travels, so what it says of a person stands here and not in Temporal.
create table intake.received_submission (
  submission_id uuid primary key,
  body text not null,
  -- equal for bodies equal as JSON
  body_hash text not null,
  -- what the plan token fixed
  plan text not null,
  plan_amount_cents integer not null check (plan_amount_cents >= 0),
  received_at timestamptz not null default now()
);

-- The EMR patients still to be made, as their runs are getting on with them (page 2, Retry queue entry).
create table intake.retry_queue (
  id uuid primary key default gen_random_uuid(),
  submission_id uuid not null unique references intake.submission,
  action text not null default 'create_patient' check (action = 'create_patient'),
  attempts integer not null default 0 check (attempts >= 0),
  last_error text,
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed')),
  created_at timestamptz not null default now(),
  next_retry_at timestamptz,
  check ((status = 'pending') = (next_retry_at is not null))
);
create index retry_queue_newest on intake.retry_queue (created_at desc, id desc);
create index retry_queue_due on intake.retry_queue (next_retry_at) where status = 'pending';

grant select, insert, update, delete on intake.received_submission to scriptrail_intake;
grant select, insert, update on intake.retry_queue to scriptrail_intake;

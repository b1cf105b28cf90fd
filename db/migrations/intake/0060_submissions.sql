-- What can be bought. Only the active ones are shown; a price changes by the next token (D60).
create table intake.plan (
  id uuid primary key default gen_random_uuid(),
  intake_type text not null check (intake_type in ('glp-1', 'nad', 'micro')),
  plan text not null,
  display_name text not null,
  amount_cents integer not null check (amount_cents > 0),
  interval text not null default 'month',
  is_active boolean not null default true,
  unique (intake_type, plan)
);

insert into intake.plan (intake_type, plan, display_name, amount_cents) values
  ('glp-1', 'monthly', 'GLP-1, month by month', 29900),
  ('nad', 'monthly', 'NAD+, month by month', 19900),
  ('micro', 'monthly', 'Microdose, month by month', 14900);

-- What a person handed in, and the card saved for it afterwards (page 2, Stored submission).
create table intake.submission (
  id uuid primary key,
  first_name text not null,
  last_name text not null,
  -- lower case
  email text not null check (email = lower(email)),
  phone text,
  state text check (state ~ '^[A-Z]{2}$'),
  intake_type text not null check (intake_type in ('glp-1', 'nad', 'micro')),
  emr_patient_id text,
  status text not null check (status in ('submitted', 'pending_emr')),
  -- the bytes as received (D7), and what the page calls `data`: the same with the ids of the payment step merged in
  body text not null,
  data json not null,
  body_hash text not null,
  -- what the plan token fixed, and the coupon asked for
  plan text not null,
  plan_amount_cents integer not null check (plan_amount_cents >= 0),
  coupon_code text,
  -- at the processor, once a card is saved (D64); the card's own id, also where a test card was named
  customer_id text,
  card_id text,
  card_saved_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- whether its mailbox was proved, when it was handed in or when its card was saved (D86)
  email_proven boolean not null default false,
  check ((status = 'submitted') = (emr_patient_id is not null)),
  check ((customer_id is null) = (card_id is null) and (card_id is null) = (card_saved_at is null))
);
-- Whether an address has handed in since it was verified (D66), and lists, newest first.
create index submission_by_email on intake.submission (email, created_at);
create index submission_newest on intake.submission (created_at desc, id desc);
-- Whether a later intake of the same patient has come, whose contact data is newer.
create index submission_by_patient on intake.submission (emr_patient_id, created_at);

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
  received_at timestamptz not null default now(),
  email_proven boolean not null default false
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
-- A page of the queue by state reads no more than the page.
create index retry_queue_of_status on intake.retry_queue (status, created_at desc, id desc);

-- An intake that joins nobody in the EMR, and whom else its address has there (D86, D148). Noted before its own patient is
-- made, so that an answer lost on the way does not lose it; taken away by the transaction that gives the intake its patient.
create table intake.own_patient (
  submission_id uuid primary key,
  other_patient_id text,
  reason text check (reason in ('other_person', 'record_incomplete', 'patient_left')),
  check ((other_patient_id is null) = (reason is null))
);

-- Patients of intakes whom nothing can be ordered for yet (D109), and when the EMR is asked about them next. Ids only.
create table intake.incomplete_patient (
  submission_id uuid primary key,
  emr_patient_id text not null,
  check_at timestamptz not null default now()
);
create index incomplete_patient_due on intake.incomplete_patient (check_at);

grant select on intake.plan to scriptrail_intake;
grant select, insert, update on intake.submission, intake.retry_queue to scriptrail_intake;
grant select, insert, update, delete on intake.received_submission, intake.own_patient, intake.incomplete_patient
  to scriptrail_intake;

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
  check ((status = 'submitted') = (emr_patient_id is not null)),
  check ((customer_id is null) = (card_id is null) and (card_id is null) = (card_saved_at is null))
);
-- Whether an address has handed in since it was verified (D66), and lists, newest first.
create index submission_by_email on intake.submission (email, created_at);
create index submission_newest on intake.submission (created_at desc, id desc);

grant select, insert, update on intake.submission to scriptrail_intake;

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

-- The one code of an address: a new one takes its place, wrong attempts and all (page 2, Verification code).
create table intake.verification_code (
  -- lower case
  email text primary key check (email = lower(email)),
  -- of the code, not of the address: tells a code from the one that replaced it
  id uuid not null unique,
  -- keyed, so that whoever reads the table cannot try the million codes there are
  code_hash text not null,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- wrong ones, and for a moment a right one that is being judged
  attempts integer not null default 0 check (attempts between 0 and 5),
  -- codes issued lately: a new code brings new attempts, so there are only so many codes (D6)
  window_started_at timestamptz not null default now(),
  window_codes integer not null default 1
);

grant select on intake.plan to scriptrail_intake;
grant select, insert, update on intake.verification_code to scriptrail_intake;

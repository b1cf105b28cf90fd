-- The one code of an address: a new one takes its place, wrong attempts and all (page 2, Verification code). Addresses stand
-- here as keyed hashes only (D92).
create table intake.verification_code (
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
  window_codes integer not null default 1,
  -- keyed hash
  address text primary key
);
create index verification_code_expired on intake.verification_code (expires_at);

-- What a mailbox gets in a day: code mails and wrong codes, for each caller's network address and in all.
create table intake.day_budget (
  -- keyed hash of the mailbox, the kind, and the network address unless it is the one in all
  key text primary key,
  day_began_at timestamptz not null default now(),
  used integer not null default 1,
  last_used_at timestamptz not null default now()
);
create index day_budget_began on intake.day_budget (day_began_at);

grant select, insert, update, delete on intake.verification_code, intake.day_budget to scriptrail_intake;

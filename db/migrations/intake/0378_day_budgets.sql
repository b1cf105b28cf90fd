-- What a mailbox gets in a day: code mails and wrong codes, for each caller's network address and in all.
create table intake.day_budget (
  -- keyed hash of the mailbox, the kind, and the network address unless it is the one in all
  key text primary key,
  day_began_at timestamptz not null default now(),
  used integer not null default 1,
  last_used_at timestamptz not null default now()
);
create index day_budget_began on intake.day_budget (day_began_at);
grant select, insert, update, delete on intake.day_budget to scriptrail_intake;

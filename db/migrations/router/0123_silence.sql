-- Orders of which their pharmacy says nothing (D102), and how well each pharmacy does.
alter table router.submission
  -- when the pharmacy last said anything of the order, by itself or asked
  add column heard_at timestamptz not null default now(),
  add column asked_at timestamptz,
  -- questions without an answer since then
  add column asked_in_vain integer not null default 0,
  -- the first time each, as we heard of it
  add column accepted_at timestamptz,
  add column shipped_at timestamptz,
  add column delivered_at timestamptz;
create index submission_silent on router.submission (heard_at)
  where outcome = 'accepted' and status in ('submitted', 'processing', 'shipped');
create index submission_submitted on router.submission (submitted_at);

alter table router.webhook_log
  add column source text not null default 'webhook' check (source in ('webhook', 'asked')),
  -- what was asked for and was news: the callback that told of it had been lost
  add column healed boolean not null default false;
grant select, update (healed) on router.webhook_log to scriptrail_router;

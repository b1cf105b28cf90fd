-- Every accepted webhook of a pharmacy, byte for byte as it came (D7, D25).
create table router.webhook_log (
  id bigint generated always as identity primary key,
  received_at timestamptz not null default now(),
  webhook text not null check (webhook in ('pharmacy_a', 'pharmacy_b')),
  submission_id uuid not null references router.submission,
  body text not null
);
create index webhook_log_of on router.webhook_log (submission_id);

grant insert on router.webhook_log to scriptrail_router;

-- Every webhook of a pharmacy, byte for byte as it came (D7, D25). The EMR's word on an order is kept in the same place
-- (D29). Refused ones are logged too (D155); they belong to no order.
create table router.webhook_log (
  id bigint generated always as identity primary key,
  received_at timestamptz not null default now(),
  webhook text not null,
  submission_id uuid references router.submission,
  body text not null,
  -- an event of the EMR that comes again is known by its id
  event_id uuid unique,
  source text not null default 'webhook' check (source in ('webhook', 'asked')),
  -- what was asked for and was news: the callback that told of it had been lost (D102)
  healed boolean not null default false,
  accepted boolean not null default true,
  -- of a refused one: the status and the error it was answered with
  status smallint,
  error text,
  -- set for bytes that are no text
  encoding text check (encoding = 'base64'),
  constraint webhook_log_accepted check (accepted = (submission_id is not null))
);
create index webhook_log_of on router.webhook_log (submission_id);
create index webhook_log_refused on router.webhook_log (id) where not accepted;
create index webhook_log_received on router.webhook_log (webhook, id) where source = 'webhook';

grant select, insert, update (healed) on router.webhook_log to scriptrail_router;

-- Refused webhooks are logged too (D155); they belong to no order.
alter table router.webhook_log
  alter column submission_id drop not null,
  add column accepted boolean not null default true,
  -- of a refused one: the status and the error it was answered with
  add column status smallint,
  add column error text,
  -- set for bytes that are no text
  add column encoding text check (encoding = 'base64'),
  add constraint webhook_log_accepted check (accepted = (submission_id is not null));
create index webhook_log_refused on router.webhook_log (id) where not accepted;
create index webhook_log_received on router.webhook_log (webhook, id) where source = 'webhook';

-- [{trackingNumber, carrier, at}], oldest first; the last one is the row's own tracking.
alter table router.submission add column parcels jsonb not null default '[]';

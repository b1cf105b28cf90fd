-- When a payment succeeded; a run that warned of it shows it (D107).
alter table orchestrator.payment add column paid_at timestamptz(3);

-- One row for each task or refill whose charge has failed (D107): what is being done to get it paid. Whether it is paid
-- stands in the payment.
create table orchestrator.payment_recovery (
  reference text primary key,
  state text not null default 'open' check (state in ('open', 'paid', 'cancelled', 'unpaid')),
  -- how many of the planned retries have had their turn, and how many messages the patient's
  retries_done integer not null default 0 check (retries_done >= 0),
  messages_sent integer not null default 0 check (messages_sent >= 0),
  -- a card was saved since the charge failed, to be charged at once, and the last one of those that was charged
  new_card_at timestamptz(3),
  charged_card_at timestamptz(3),
  -- when its run looks at it next; one that is late has lost its run
  next_at timestamptz(3) not null default now(),
  opened_at timestamptz(3) not null default now(),
  ended_at timestamptz(3)
);
create index payment_recovery_open on orchestrator.payment_recovery (next_at) where state = 'open';
create index payment_recovery_by_time on orchestrator.payment_recovery (opened_at desc, reference desc);

-- The processor's events that were taken, each once (D108).
create table orchestrator.processor_event (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);
create index processor_event_by_time on orchestrator.processor_event (received_at);
create index payment_by_intent on orchestrator.payment (payment_intent_id);

grant select, insert, update on orchestrator.payment_recovery, orchestrator.processor_event to scriptrail_orchestrator;
grant select, delete on orchestrator.processor_event to scriptrail_retention;

-- Refunds that the processor could not make after all, each once (D153). A later refund makes up for them.
create table orchestrator.failed_refund (
  -- the processor's id
  refund_id text primary key,
  -- the payment: a task, or a refill's reference
  reference text not null,
  amount_cents integer not null check (amount_cents >= 0),
  is_made_up boolean not null default false,
  created_at timestamptz not null default now()
);
create index failed_refund_by_reference on orchestrator.failed_refund (reference);
-- The daily sweep looks for cancelled tasks whose charge is not refunded.
create index task_cancelled on orchestrator.task (task_id) where cancelled_at is not null;

grant select, insert, update on orchestrator.failed_refund to scriptrail_orchestrator;

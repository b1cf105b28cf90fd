-- Refunds that somebody asked for, of a charge whose task goes on (D135). The refund machinery makes them in turn.
create table orchestrator.part_refund (
  -- the payment: a task, or a refill's reference
  reference text not null,
  run_id uuid not null,
  -- names the refund at the processor
  n integer not null check (n > 0),
  amount_cents integer not null check (amount_cents > 0),
  -- null after the patient was erased
  reason text,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed')),
  requested_by text not null,
  -- identifies the request, so that a repeat finds its refund
  request_key text not null unique,
  created_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  primary key (reference, n)
);
create index part_refund_pending on orchestrator.part_refund (reference) where state = 'pending';
create index part_refund_by_run on orchestrator.part_refund (run_id);

grant select, insert, update on orchestrator.part_refund to scriptrail_orchestrator;
grant select, update (reason) on orchestrator.part_refund to scriptrail_retention;

-- The card a patient saved at intake, and what was agreed (D37).
create table orchestrator.payment_profile (
  emr_patient_id text primary key,
  customer_id text not null,
  payment_method_id text not null,
  coupon_id text,
  amount_cents integer check (amount_cents >= 0),
  currency text not null default 'usd',
  updated_at timestamptz not null default now(),
  -- when the card was saved at intake: a profile that arrives late never replaces a newer one
  saved_at timestamptz,
  -- whether the mailbox of the intake was proved that the profile came with: one without proof takes nobody's place (D86)
  email_proven boolean not null default false,
  -- the card whose place this one took: the patient is told, also when the process dies before it is done
  replaced_payment_method_id text,
  -- what a card was saved with holds for the medications of its plan only (D87); null: for all
  intake_type text
);

-- The payment state of a task. The amount is fixed when the row is made; `attempt` grows only after a decline.
create table orchestrator.payment (
  task_id text primary key,
  emr_patient_id text not null,
  attempt integer not null default 1 check (attempt > 0),
  customer_id text,
  payment_method_id text,
  payment_intent_id text,
  coupon_id text,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'usd',
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- the key of whoever asked for the charge (D88); null: nobody over the API
  requested_by text,
  -- what went back, in cents, whoever gave it back: we, on a cancellation, or somebody at the processor (D104, D108). It
  -- only grows, and a payment stays `succeeded`.
  refunded_cents integer not null default 0 check (refunded_cents >= 0 and refunded_cents <= amount_cents),
  -- when it succeeded; a run that warned of it shows it (D107)
  paid_at timestamptz(3),
  -- by whose word the present attempt was made: the same word again does not make another after a decline (D37)
  call_id uuid,
  -- when the patient handed in the card of the current attempt (D160); null: it is the saved card
  handed_in_at timestamptz(3)
);
create index payment_by_patient on orchestrator.payment (emr_patient_id, created_at desc);
create index payment_by_intent on orchestrator.payment (payment_intent_id);
-- A refill's payment is found by how its reference begins, whatever the database's own order of texts.
create index payment_by_prefix on orchestrator.payment (task_id collate "C");
-- What was charged and given back on a day.
create index payment_by_paid on orchestrator.payment (paid_at) where paid_at is not null;
create index payment_by_refund on orchestrator.payment (updated_at) where refunded_cents > 0;

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
  ended_at timestamptz(3),
  -- one time for each try by the link, in their order (D160)
  tried_at timestamptz(3)[] not null default '{}',
  -- the saved card that was declined last for this charge, and why; a handed-in card changes neither
  declined_card_id text,
  declined_reason text
);
create index payment_recovery_open on orchestrator.payment_recovery (next_at) where state = 'open';
-- A page of a list that a filter leaves little of reads no more than the page.
create index payment_recovery_by_time on orchestrator.payment_recovery (opened_at desc, reference desc);
create index payment_recovery_of_state on orchestrator.payment_recovery (state, opened_at desc, reference desc);

-- The processor's events that were taken, each once (D108).
create table orchestrator.processor_event (
  id text primary key,
  type text not null,
  received_at timestamptz not null default now()
);
create index processor_event_by_time on orchestrator.processor_event (received_at);

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

-- Coupons as we count them, since a charge redeems none at the processor (D87): a row per coupon and patient, however
-- many charges it is taken off. The orchestrator writes; the intake counts, to say what is used up.
create schema coupons;
grant usage on schema coupons to scriptrail_orchestrator, scriptrail_intake;
create table coupons.redemption (
  coupon_id text not null,
  emr_patient_id text not null,
  -- the first charge it was taken off: where it counts once, any other is in full
  task_id text not null,
  redeemed_at timestamptz not null default now(),
  primary key (coupon_id, emr_patient_id)
);

grant select, insert, update on orchestrator.payment_profile, orchestrator.payment, orchestrator.payment_recovery,
  orchestrator.processor_event, orchestrator.part_refund, orchestrator.failed_refund to scriptrail_orchestrator;
grant select, insert, delete on coupons.redemption to scriptrail_orchestrator;
grant select (coupon_id) on coupons.redemption to scriptrail_intake;

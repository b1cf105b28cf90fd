-- What of a charge went back, in cents, whoever gave it back: we, on a cancellation, or somebody at the processor (D104,
-- D108). It only grows, and a payment stays `succeeded`.
alter table orchestrator.payment add column refunded_cents integer not null default 0
  check (refunded_cents >= 0 and refunded_cents <= amount_cents);

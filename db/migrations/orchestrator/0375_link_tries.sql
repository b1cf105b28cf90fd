-- Tries by payment link, and the card that a patient hands in for one charge (D160).
alter table orchestrator.payment_recovery
  -- one time for each try by the link, in their order
  add column tried_at timestamptz(3)[] not null default '{}',
  -- the saved card that was declined last for this charge, and why; a handed-in card changes neither
  add column declined_card_id text,
  add column declined_reason text;

update orchestrator.payment_recovery set
  declined_card_id = payment.payment_method_id, declined_reason = coalesce(payment.reason, 'declined')
from orchestrator.payment where payment.task_id = reference and payment.status = 'failed';

-- When the patient handed in the card of the current attempt; null: it is the saved card.
alter table orchestrator.payment add column handed_in_at timestamptz(3);

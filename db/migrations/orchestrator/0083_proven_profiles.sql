-- Whether the mailbox of the intake was proved that the profile came with: one without proof takes nobody's place (D86).
alter table orchestrator.payment_profile add column email_proven boolean not null default false;
-- The card whose place this one took: the patient is told, also when the process dies before it is done.
alter table orchestrator.payment_profile add column replaced_payment_method_id text;

-- What a card was saved with holds for the medications of its plan only (D87). A profile saved before is given the type
-- of the intake that saved its card. Where none is found, nobody knows what its price was agreed for, and it holds for all.
alter table orchestrator.payment_profile add column intake_type text;
update orchestrator.payment_profile profile
set intake_type = submission.intake_type
from intake.submission
where submission.emr_patient_id = profile.emr_patient_id
  and submission.customer_id = profile.customer_id
  and submission.card_id = profile.payment_method_id
  and submission.plan_amount_cents = profile.amount_cents;

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
grant select, insert, delete on coupons.redemption to scriptrail_orchestrator;
grant select (coupon_id) on coupons.redemption to scriptrail_intake;

insert into coupons.redemption (coupon_id, emr_patient_id, task_id, redeemed_at)
select distinct on (coupon_id, emr_patient_id) coupon_id, emr_patient_id, task_id, created_at
from orchestrator.payment
where coupon_id is not null and status in ('pending', 'succeeded')
order by coupon_id, emr_patient_id, created_at;

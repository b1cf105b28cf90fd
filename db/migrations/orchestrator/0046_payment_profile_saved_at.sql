-- When the card was saved at intake: a profile that arrives late never replaces a newer one.
alter table orchestrator.payment_profile add column saved_at timestamptz;

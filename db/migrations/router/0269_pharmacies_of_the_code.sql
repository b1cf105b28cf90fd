-- The code has the one list of pharmacies (domain/pharmacies.ts), so that a new one needs no migration.
alter table router.route drop constraint route_pharmacy_check;
alter table router.submission drop constraint submission_pharmacy_check;
alter table router.webhook_log drop constraint webhook_log_webhook_check;

-- The EMR's word on an order is kept where the pharmacies' is (D29); an event that comes again is known by its id.
alter table router.webhook_log
  drop constraint webhook_log_webhook_check,
  add constraint webhook_log_webhook_check
    check (webhook in ('pharmacy_a', 'pharmacy_b', 'MedicationDispense.completed')),
  add column event_id uuid unique;

grant select (event_id) on router.webhook_log to scriptrail_router;

-- Refused webhooks of pharmacies have an age, and are overwritten with their patient (D94, D155).
grant delete on router.webhook_log to scriptrail_retention;
grant update (encoding) on router.webhook_log to scriptrail_retention;

-- Refused webhooks of pharmacies have an age (D94, D155).
grant delete on router.webhook_log to scriptrail_retention;

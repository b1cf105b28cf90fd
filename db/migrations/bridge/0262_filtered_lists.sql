-- A page of a list that a filter leaves little of reads no more than the page.
create index emr_webhook_events_of_type on bridge.emr_webhook_events (resource_type, received_at desc, id desc);
create index emr_sync_attempts_of_status on bridge.emr_sync_attempts (status, created_at desc, id desc);
create index emr_sync_attempts_of_event on bridge.emr_sync_attempts (internal_event_name, created_at desc, id desc);
-- An admin's organizations are texts, which an index of ids does not know.
drop index bridge.emr_sync_attempts_of_organization;
create index emr_sync_attempts_of_organization
  on bridge.emr_sync_attempts ((organization_id::text), created_at desc, id desc);

-- Whose patient it is about; null: not known, and the superadmins' to see (D96).
alter table bridge.emr_sync_attempts add column organization_id uuid;
create index emr_sync_attempts_of_organization
  on bridge.emr_sync_attempts (organization_id, created_at desc, id desc);

-- What an organization's own admins see of the log; their organizations are texts.
create index orphan_log_of_organization on patients.orphan_log ((organization_id::text), created_at desc, id desc);
-- What an erasure empties.
create index outbox_of_patient on patients.outbox (aggregate_id) where detail is not null;

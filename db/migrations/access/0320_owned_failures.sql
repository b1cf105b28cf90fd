-- The caller reads the answers of failed approvals itself, so no work item opens for them (D137).
alter table access.api_key add column owns_failures boolean not null default false;

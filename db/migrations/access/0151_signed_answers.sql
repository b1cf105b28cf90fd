-- The worklist hands people's answers to the services whose items they are, over signed requests (D109).
alter table access.api_key drop constraint api_key_scopes_check;
alter table access.api_key add check (
  scopes <@ array['router', 'orchestrator', 'registry', 'notification', 'payments', 'worklist', 'admin']
);
grant select, update (last_used_at) on access.api_key
  to scriptrail_intake, scriptrail_organization, scriptrail_patients, scriptrail_bridge;
grant select, insert, delete, update (expires_at) on access.nonce
  to scriptrail_intake, scriptrail_organization, scriptrail_patients, scriptrail_bridge;

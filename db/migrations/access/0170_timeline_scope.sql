-- Our own services tell each other their parts of a timeline (D111): a scope that reads these and nothing else.
alter table access.api_key drop constraint api_key_scopes_check;
alter table access.api_key add check (
  scopes <@ array['router', 'orchestrator', 'registry', 'notification', 'payments', 'worklist', 'timeline', 'admin']
);
-- The worklist tells its part over signed requests.
grant select, update (last_used_at) on access.api_key to scriptrail_worklist;
grant select, insert, delete, update (expires_at) on access.nonce to scriptrail_worklist;

-- The intake gateway's key opens payment links at the orchestrator, and nothing else there (D107).
alter table access.api_key
  drop constraint api_key_scopes_check,
  add check (scopes <@ array['router', 'orchestrator', 'registry', 'notification', 'payments', 'admin']);

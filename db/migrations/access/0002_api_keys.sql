-- Clients of the signed APIs (D4). Written by the migrator's role only; services may look a key up and note its use.
create table access.api_key (
  id text primary key check (id ~ '^[A-Za-z0-9_.-]{1,64}$'),
  name text not null,
  previous_secret_until timestamptz,
  scopes text[] not null check (
    scopes <@ array['router', 'orchestrator', 'registry', 'notification', 'payments', 'worklist', 'timeline', 'admin']
  ),
  physician_id uuid,
  -- null: the configured limit; 0: none (our own services)
  requests_per_minute integer check (requests_per_minute >= 0),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  rotated_at timestamptz,
  last_used_at timestamptz,
  -- a key of version 2 takes no signature of version 1 (D91)
  signature_version smallint not null default 1 check (signature_version in (1, 2)),
  -- what a client wants to be told (D103)
  receives_holds boolean not null default false,
  initial_callback boolean not null default true,
  -- the caller is a run that keeps trying, so that its calls need no run behind them while one try does (D113)
  durable boolean not null default false,
  -- the caller reads the answers of failed approvals itself, so no work item opens for them (D137)
  owns_failures boolean not null default false,
  -- for good; '' is the default client (D140)
  client text not null default '' check (client ~ '^[a-z0-9-]{0,40}$'),
  -- a key of our own services
  is_own boolean not null default false
);

-- The sealed secrets of keys stand apart, and a service's role sees those of the scopes that it serves and no other. Which
-- keys there are stays visible, so that a key of another scope is answered as such (D4).
create table access.api_key_secret (
  id text primary key references access.api_key on delete cascade,
  sealed_secret text not null,
  sealed_previous_secret text
);
-- The owner sees all.
alter table access.api_key_secret enable row level security;

-- Each nonce is used once (D91). For version 1 the nonce is the signature itself, and `opens` says for which method, path,
-- query and idempotency key it may be repeated (D158); null for version 2. Kept while its timestamp would be taken.
create table access.nonce (
  key_id text not null,
  nonce text not null check (nonce ~ '^[A-Za-z0-9_-]{16,64}$'),
  expires_at timestamptz not null,
  opens text,
  primary key (key_id, nonce)
);
create index nonce_expired on access.nonce (expires_at);

do $$
declare
  service text;
  scopes text[];
begin
  for service, scopes in
    values
      ('router', array['router', 'worklist', 'admin']),
      ('orchestrator', array['orchestrator', 'payments', 'worklist', 'timeline', 'admin']),
      ('registry', array['registry', 'admin']),
      ('notification', array['notification', 'admin']),
      ('worklist', array['timeline', 'admin']),
      ('intake', array['worklist', 'admin']),
      ('organization', array['worklist', 'admin']),
      ('patients', array['worklist', 'admin']),
      ('bridge', array['worklist', 'admin'])
  loop
    execute format('grant select, update (last_used_at) on access.api_key to scriptrail_%I', service);
    execute format('grant select on access.api_key_secret to scriptrail_%I', service);
    execute format(
      'create policy %1$I on access.api_key_secret for select to scriptrail_%1$I using (
         exists (select from access.api_key key where key.id = api_key_secret.id and key.scopes && %2$L))',
      service, scopes);
    -- The update is for locking rows only.
    execute format('grant select, insert, delete, update (expires_at) on access.nonce to scriptrail_%I', service);
  end loop;
end
$$;

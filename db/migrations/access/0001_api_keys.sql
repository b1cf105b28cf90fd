-- Clients of the signed APIs (D4). Written by the migrator's role only; services may look a key up and note its use.
create schema access;
grant usage on schema access to scriptrail_router, scriptrail_orchestrator, scriptrail_registry, scriptrail_notification;

create table access.api_key (
  id text primary key check (id ~ '^[A-Za-z0-9_.-]{1,64}$'),
  name text not null,
  sealed_secret text not null,
  sealed_previous_secret text,
  previous_secret_until timestamptz,
  scopes text[] not null check (scopes <@ array['router', 'orchestrator', 'registry', 'notification', 'admin']),
  physician_id uuid,
  -- null: the configured limit; 0: none (our own services)
  requests_per_minute integer check (requests_per_minute >= 0),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  rotated_at timestamptz,
  last_used_at timestamptz
);

grant select on access.api_key to scriptrail_router, scriptrail_orchestrator, scriptrail_registry, scriptrail_notification;
grant update (last_used_at) on access.api_key to scriptrail_router, scriptrail_orchestrator, scriptrail_registry, scriptrail_notification;

-- Hostnames of organizations: whose they are (DNS) and whether they are served (TLS), one after the other (D78).
create table organization.custom_domain (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity unique,
  organization_id uuid not null references organization.organization,
  -- lower case
  hostname text not null check (hostname = lower(hostname)),
  state text not null default 'pending_dns' check (state in ('pending_dns', 'pending_tls', 'active', 'deactivated')),
  verification_token text not null,
  -- the values found at the last look; null before it
  observed text[],
  reason text,
  last_checked_at timestamptz,
  -- how it is watched: looks by the clock since, and the next one; null when none is to come by itself
  checks integer not null default 0,
  watched_since timestamptz not null,
  next_check_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index custom_domain_in_use on organization.custom_domain (hostname) where state <> 'deactivated';
create index custom_domain_of on organization.custom_domain (organization_id, position);
create index custom_domain_due on organization.custom_domain (next_check_at) where next_check_at is not null;

grant select, insert, update on organization.custom_domain to scriptrail_organization;

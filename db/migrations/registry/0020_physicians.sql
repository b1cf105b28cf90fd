-- Physicians, their licenses and the rules that send a platform's patients to them (page 1, Registry resources).
-- Nothing is deleted here: what is taken out of use stays as an inactive record.
create table registry.physician (
  id uuid primary key default gen_random_uuid(),
  -- the order of adding: equal priorities are decided by it (D53), and lists are paged by it
  position bigint generated always as identity unique,
  email text,
  first_name text not null check (char_length(first_name) between 1 and 100),
  last_name text not null check (char_length(last_name) between 1 and 100),
  suffix text,
  npi text not null,
  dea_number text,
  phone text,
  fax text,
  address_line1 text,
  address_city text,
  address_state text,
  address_zip text,
  signature_image text,
  organization text,
  platform text not null default 'both' check (platform in ('platform_a', 'platform_b', 'both')),
  emr_practitioner_id uuid,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index physician_email on registry.physician (lower(email));

create table registry.license (
  id uuid primary key default gen_random_uuid(),
  physician_id uuid not null references registry.physician,
  state text not null check (state ~ '^[A-Z]{2}$'),
  license_number text not null,
  -- valid to the end of this day; null: does not expire (D51)
  expiration_date date,
  license_type text check (license_type in ('MD', 'DO', 'NP', 'FNP', 'PA', 'APRN')),
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index license_active_state on registry.license (physician_id, state) where is_active;

create table registry.routing_rule (
  id uuid primary key default gen_random_uuid(),
  platform text not null check (platform in ('platform_a', 'platform_b')),
  state text not null check (state ~ '^[A-Z]{2}$'),
  physician_id uuid not null references registry.physician,
  priority integer not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index routing_rule_lookup on registry.routing_rule (platform, state) where is_active;

grant select, insert, update on registry.physician, registry.license, registry.routing_rule to scriptrail_registry;

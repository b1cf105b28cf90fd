-- The tenants (page 3). Nothing is deleted here but the notes of organizations that are being made.
create table organization.organization (
  id uuid primary key,
  -- the order of adding, by which lists are paged
  position bigint generated always as identity unique,
  slug text not null constraint organization_slug unique check (slug ~ '^[a-z0-9-]{2,63}$'),
  display_name text not null,
  kind text not null check (kind in ('dtc', 'b2b')),
  emr_organization_id text not null,
  status text not null default 'active' check (status in ('active', 'suspended', 'archived')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- An organization that is being made, committed before the EMR is asked for one: a retry for the same slug finds the
-- id by which the EMR may hold it already (D79), and what nobody tries again is taken back there.
create table organization.creation (
  organization_id uuid primary key,
  slug text not null,
  state text not null default 'open' check (state in ('open', 'discarding')),
  tried_at timestamptz not null default now()
);
create unique index creation_open_slug on organization.creation (slug) where state = 'open';
create index creation_tried on organization.creation (tried_at);

-- One row each once something was set; without it the defaults hold (D74).
create table organization.branding (
  organization_id uuid primary key references organization.organization,
  primary_color text,
  logo_url text,
  favicon_url text,
  email_header_image_url text,
  patient_portal_name text,
  admin_portal_name text,
  email_name text
);
create table organization.portal_config (
  organization_id uuid primary key references organization.organization,
  messaging_enabled boolean not null,
  self_scheduling_enabled boolean not null,
  refill_self_service_enabled boolean not null,
  terms_url text
);
create table organization.notification_config (
  organization_id uuid primary key references organization.organization,
  from_address text,
  from_name text,
  sms_sender_number text,
  email_configuration_set text,
  default_template_set text
);

grant select, insert, update on organization.organization, organization.branding, organization.portal_config,
  organization.notification_config to scriptrail_organization;
grant select, insert, update, delete on organization.creation to scriptrail_organization;

-- Who administers: one row per human, and what each may do where (page 3, D72, D74).
create table organization.admin_user (
  id uuid primary key default gen_random_uuid(),
  position bigint generated always as identity unique,
  email text not null,
  display_name text not null,
  -- the subject at the identity provider, once the person has signed in through it
  identity_provider_id text constraint admin_user_identity unique,
  is_superadmin boolean not null default false,
  state text not null default 'invited' check (state in ('invited', 'active', 'suspended')),
  -- raised by whatever must end the tokens issued so far
  ver integer not null default 0,
  -- of the admin who sent the invitation; null: a superadmin
  invited_by_organization_id uuid references organization.organization,
  activated_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- operators work the desk for all organizations without being superadmins (D141)
  is_operator boolean not null default false
);
create unique index admin_user_email on organization.admin_user (lower(email));

create table organization.admin_membership (
  admin_id uuid not null references organization.admin_user,
  organization_id uuid not null references organization.organization,
  role text not null check (role in ('org_admin', 'org_user', 'support')),
  created_at timestamptz not null default now(),
  primary key (admin_id, organization_id)
);
create index admin_membership_of on organization.admin_membership (organization_id);

-- A physician is a record of another service, so any id will do.
create table organization.physician_membership (
  physician_id uuid not null,
  organization_id uuid not null references organization.organization,
  created_at timestamptz not null default now(),
  primary key (physician_id, organization_id)
);

grant select, insert, update on organization.admin_user to scriptrail_organization;
grant select, insert, update, delete on organization.admin_membership, organization.physician_membership
  to scriptrail_organization;

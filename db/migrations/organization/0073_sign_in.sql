-- Codes for signing in, of any address, known or not, so that neither answers nor times tell which are known. A new code
-- leaves the one before it valid (D92).
create table organization.sign_in_code (
  -- keyed hash of the address
  address text not null,
  id uuid primary key,
  code_hash text not null,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_code_expired on organization.sign_in_code (expires_at);
create index sign_in_code_of on organization.sign_in_code (address);

-- What is sent to an address, and how many wrong codes are entered for it, each way in for itself.
create table organization.sign_in_budget (
  -- keyed hash of the address and the way in
  key text primary key,
  window_began_at timestamptz not null default now(),
  sent_in_window integer not null default 0,
  day_began_at timestamptz not null default now(),
  wrong_in_day integer not null default 0,
  -- wrong codes lock one admin for one network address; over all addresses they only slow entries down (D161)
  last_entry_at timestamptz
);

-- The identity provider's tokens that somebody has signed in with: each does so once (D93).
create table organization.used_id_token (
  -- keyed hash of what the provider signed
  token text primary key,
  used_at timestamptz not null default now()
);
create index used_id_token_at on organization.used_id_token (used_at);

grant select, insert, update, delete on organization.sign_in_code, organization.sign_in_budget to scriptrail_organization;
grant select, insert, delete on organization.used_id_token to scriptrail_organization;

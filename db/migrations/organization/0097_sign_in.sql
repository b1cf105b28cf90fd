-- A new code leaves the one before it valid (D92), so an address may have several.
alter table organization.sign_in_code
  drop constraint sign_in_code_pkey,
  add primary key (id),
  drop column window_began_at,
  drop column sent_in_window;
create index sign_in_code_of on organization.sign_in_code (address);

-- What is sent to an address, and how many wrong codes are entered for it, each way in for itself.
create table organization.sign_in_budget (
  -- keyed hash of the address and the way in
  key text primary key,
  window_began_at timestamptz not null default now(),
  sent_in_window integer not null default 0,
  day_began_at timestamptz not null default now(),
  wrong_in_day integer not null default 0
);

-- The identity provider's tokens that somebody has signed in with: each does so once (D93).
create table organization.used_id_token (
  -- keyed hash of what the provider signed
  token text primary key,
  used_at timestamptz not null default now()
);
create index used_id_token_at on organization.used_id_token (used_at);

grant select, insert, update, delete on organization.sign_in_budget to scriptrail_organization;
grant select, insert, delete on organization.used_id_token to scriptrail_organization;

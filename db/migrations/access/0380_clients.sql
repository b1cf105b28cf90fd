-- The client that a key belongs to, for good; '' is the default client (D140). `is_own` marks the keys of our own services.
alter table access.api_key
  add column client text not null default '' check (client ~ '^[a-z0-9-]{0,40}$'),
  add column is_own boolean not null default false;

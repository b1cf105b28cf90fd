-- Signatures of version 2 (D91): a key may take nothing else, and each nonce is used once. Kept while its timestamp would
-- be taken; whoever uses one takes some of the old ones away.
alter table access.api_key
  add column signature_version smallint not null default 1 check (signature_version in (1, 2));

create table access.nonce (
  key_id text not null,
  nonce text not null check (nonce ~ '^[A-Za-z0-9_-]{16,64}$'),
  expires_at timestamptz not null,
  primary key (key_id, nonce)
);
create index nonce_expired on access.nonce (expires_at);
-- The update is for locking rows only.
grant select, insert, delete, update (expires_at) on access.nonce
  to scriptrail_router, scriptrail_orchestrator, scriptrail_registry, scriptrail_notification;

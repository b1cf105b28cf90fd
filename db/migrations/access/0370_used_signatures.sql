-- A signature of version 1 is used once as well (D158): its nonce is the signature itself, and `opens` says for which
-- method, path, query and idempotency key it may be repeated. Null for version 2.
alter table access.nonce add column opens text;

-- What a client wants to be told (D103). Clients of page 1 hear of no holds, and of every submission's outcome.
alter table access.api_key
  add column receives_holds boolean not null default false,
  add column initial_callback boolean not null default true;

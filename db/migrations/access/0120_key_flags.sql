-- What a client wants to be told (D103). Unless its key says otherwise it hears of no holds, and of every outcome.
alter table access.api_key
  add column receives_holds boolean not null default false,
  add column initial_callback boolean not null default true;

-- Who read or changed what, or tried to (D88): only ever added to, and kept for six years. It holds nothing personal of a
-- patient: a record is an id of ours.
create table access.access_event (
  -- the order of writing, by which lists are paged
  position bigint generated always as identity primary key,
  at timestamptz(3) not null default now(),
  -- an admin's id, a key's id, or what of ours it was
  actor text not null,
  actor_kind text not null check (actor_kind in ('admin', 'key', 'system')),
  action text not null,
  record text,
  organization_id uuid,
  -- null: not over the network
  ip text,
  user_agent text,
  request_id text,
  outcome text not null check (outcome in ('allowed', 'refused', 'failed'))
);
create index access_event_of_actor on access.access_event (actor, position);
create index access_event_of_record on access.access_event (record, position) where record is not null;
create index access_event_of_action on access.access_event (action, position);
-- rows come in the order of time
create index access_event_at on access.access_event using brin (at);

create function access.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;
-- Against every role, the owner's too.
create trigger insert_only before update or delete or truncate on access.access_event
  for each statement execute function access.refuse_change();

-- For the codec server, which keeps nothing but these; it cannot log in until it is given a password.
do $$
begin
  if not exists (select from pg_roles where rolname = 'scriptrail_access') then
    create role scriptrail_access nologin;
  end if;
end
$$;
grant usage on schema access
  to scriptrail_intake, scriptrail_organization, scriptrail_patients, scriptrail_bridge, scriptrail_access;
grant insert on access.access_event
  to scriptrail_router, scriptrail_orchestrator, scriptrail_registry, scriptrail_intake, scriptrail_notification,
    scriptrail_organization, scriptrail_patients, scriptrail_bridge, scriptrail_access;
grant select on access.access_event to scriptrail_organization;

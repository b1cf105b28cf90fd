-- Who read or changed what, or tried to (D88): only ever added to, and kept for six years. It holds nothing personal of a
-- patient: a record is an id of ours.
create table access.access_event (
  -- the order of writing, by which lists are paged
  position bigint generated always as identity primary key,
  -- services do not choose it (D162)
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
  outcome text not null check (outcome in ('allowed', 'refused', 'failed')),
  -- whom an event's key acted for (D162)
  on_behalf_of text
);
-- A page of any time reads no more than the page.
create index access_event_newest on access.access_event (at desc, position desc);
create index access_event_of_actor on access.access_event (actor, at desc, position desc);
create index access_event_of_record on access.access_event (record, at desc, position desc) where record is not null;
create index access_event_of_action on access.access_event (action, at desc, position desc);
create index access_event_on_behalf_of on access.access_event (on_behalf_of, at desc, position desc)
  where on_behalf_of is not null;

-- A closed day's events, chained: each hash includes the one of the day before (D162).
create table access.access_day (
  -- UTC
  day date primary key,
  events integer not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);

create function access.refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is not allowed', tg_op, tg_table_name using errcode = 'restrict_violation';
end
$$;
-- Against every role, the owner's too.
create trigger insert_only before update or delete or truncate on access.access_event
  for each statement execute function access.refuse_change();
create trigger insert_only before update or delete or truncate on access.access_day
  for each statement execute function access.refuse_change();

do $$
declare
  writer text;
begin
  foreach writer in array array['router', 'orchestrator', 'registry', 'intake', 'notification', 'organization', 'patients',
    'bridge', 'worklist', 'access']
  loop
    execute format(
      'grant insert (actor, actor_kind, action, record, organization_id, ip, user_agent, request_id, outcome, on_behalf_of)
         on access.access_event to scriptrail_%I', writer);
  end loop;
end
$$;
grant select on access.access_event to scriptrail_organization;
grant select, insert on access.access_day to scriptrail_organization;

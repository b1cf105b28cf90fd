-- Who an event's key acted for (D162). Services no longer choose the time of an event.
alter table access.access_event add column on_behalf_of text;
create index access_event_on_behalf_of on access.access_event (on_behalf_of, at desc, position desc)
  where on_behalf_of is not null;

do $$
declare
  writer text;
begin
  foreach writer in array array['router', 'orchestrator', 'registry', 'intake', 'notification', 'organization', 'patients',
    'bridge', 'worklist', 'access']
  loop
    execute format('revoke insert on access.access_event from scriptrail_%I', writer);
    execute format(
      'grant insert (actor, actor_kind, action, record, organization_id, ip, user_agent, request_id, outcome, on_behalf_of)
         on access.access_event to scriptrail_%I', writer);
  end loop;
end
$$;

-- A closed day's events, chained: each hash includes the one of the day before (D162).
create table access.access_day (
  -- UTC
  day date primary key,
  events integer not null,
  hash text not null check (hash ~ '^[0-9a-f]{64}$')
);
create trigger insert_only before update or delete or truncate on access.access_day
  for each statement execute function access.refuse_change();
grant select, insert on access.access_day to scriptrail_organization;

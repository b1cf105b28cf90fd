-- Each service has a schema and a role of its own.
do $$
declare
  service text;
begin
  foreach service in array array['router', 'orchestrator', 'registry', 'notification', 'intake', 'organization', 'patients',
    'bridge', 'worklist']
  loop
    execute format('create schema %I', service);
    execute format('grant usage on schema %I to %I', service, 'scriptrail_' || service);
  end loop;
end
$$;

-- The codec server keeps nothing but access events; it cannot log in until it is given a password.
do $$
begin
  if not exists (select from pg_roles where rolname = 'scriptrail_access') then
    create role scriptrail_access nologin;
  end if;
end
$$;
create schema access;
grant usage on schema access
  to scriptrail_router, scriptrail_orchestrator, scriptrail_registry, scriptrail_notification, scriptrail_intake,
    scriptrail_organization, scriptrail_patients, scriptrail_bridge, scriptrail_worklist, scriptrail_access;

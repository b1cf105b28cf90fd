-- The sealed secrets of keys stand apart, and a service's role sees those of the scopes that it serves and no other. Which
-- keys there are stays visible, so that a key of another scope is answered as such (D4).
create table access.api_key_secret (
  id text primary key references access.api_key on delete cascade,
  sealed_secret text not null,
  sealed_previous_secret text
);
insert into access.api_key_secret (id, sealed_secret, sealed_previous_secret)
  select id, sealed_secret, sealed_previous_secret from access.api_key;
alter table access.api_key drop column sealed_secret, drop column sealed_previous_secret;

-- The owner sees all.
alter table access.api_key_secret enable row level security;
do $$
declare
  service text;
  scopes text[];
begin
  for service, scopes in
    values
      ('router', array['router', 'worklist', 'admin']),
      ('orchestrator', array['orchestrator', 'payments', 'worklist', 'timeline', 'admin']),
      ('registry', array['registry', 'admin']),
      ('notification', array['notification', 'admin']),
      ('worklist', array['timeline', 'admin']),
      ('intake', array['worklist', 'admin']),
      ('organization', array['worklist', 'admin']),
      ('patients', array['worklist', 'admin']),
      ('bridge', array['worklist', 'admin'])
  loop
    execute format('grant select on access.api_key_secret to scriptrail_%I', service);
    execute format(
      'create policy %1$I on access.api_key_secret for select to scriptrail_%1$I using (
         exists (select from access.api_key key where key.id = api_key_secret.id and key.scopes && %2$L))',
      service, scopes);
  end loop;
end
$$;

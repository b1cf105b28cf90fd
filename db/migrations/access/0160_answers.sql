-- A person's answer that is being carried out (D109): what settles the fact meanwhile is theirs, and a fact that is
-- reported anew meanwhile is not closed by it. And how often a consumer has refused an event.
do $$
declare
  service text;
begin
  foreach service in array array['router', 'orchestrator', 'intake', 'organization', 'patients', 'bridge'] loop
    execute format('alter table %I.work_item add column answering text, add column answering_by text', service);
    execute format('alter table %I.event_delivery add column refusals integer not null default 0', service);
  end loop;
end
$$;

-- What waits for a person (D109), in the schema of the service whose fact it is: a row is opened and closed in the
-- transaction of the fact, and told of by that service's events. Nothing in a row says anything of a patient but ids.
do $$
declare
  service text;
begin
  -- Two services had no events of their own to tell until now.
  create table orchestrator.outbox (like router.outbox including all);
  grant select, insert, update on orchestrator.outbox to scriptrail_orchestrator;
  grant select, delete, update (detail) on orchestrator.outbox to scriptrail_retention;
  foreach service in array array['router', 'orchestrator'] loop
    execute format('create table %1$I.event_delivery (like bridge.event_delivery including all)', service);
    execute format('alter table %1$I.event_delivery add foreign key (event_id) references %1$I.outbox', service);
    execute format('grant select, insert, update on %I.event_delivery to %I', service, 'scriptrail_' || service);
    execute format('grant select, delete on %I.event_delivery to scriptrail_retention', service);
  end loop;

  alter table intake.work_item
    drop constraint work_item_kind_check,
    drop constraint work_item_state_check,
    add check (state in ('open', 'closed')),
    -- the run that waits or failed
    add column workflow_id text;
  foreach service in array array['router', 'orchestrator', 'organization', 'patients', 'bridge'] loop
    execute format('create table %I.work_item (like intake.work_item including all)', service);
    execute format('grant select, insert, update on %I.work_item to %I', service, 'scriptrail_' || service);
  end loop;
end
$$;

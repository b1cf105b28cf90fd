-- What has reached its age, what people have noted, and what happened in a window of time, is found without reading the
-- rest (D94, D97).
create index work_item_closed on worklist.work_item (closed_at) where closed_at is not null;
create index history_noted on worklist.history (position) where action in ('answered', 'refused', 'noted');
do $$
declare
  service text;
begin
  foreach service in array array['router', 'orchestrator', 'intake', 'organization', 'patients', 'bridge'] loop
    execute format('create index outbox_time on %I.outbox (time)', service);
  end loop;
end
$$;

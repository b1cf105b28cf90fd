-- What has reached its age is found without reading the rest (D94).
do $$
declare
  service text;
begin
  foreach service in array array['router', 'intake', 'organization', 'patients', 'bridge'] loop
    -- null: past its age, or erased; such an entry is not sent again
    execute format('alter table %I.outbox alter column detail drop not null', service);
    execute format(
      'create index outbox_shipped_detail on %I.outbox (shipped_at) where shipped_at is not null and detail is not null',
      service
    );
    execute format('create index outbox_shipped on %I.outbox (shipped_at) where shipped_at is not null', service);
  end loop;
end
$$;
create index callback_attempt_at on router.callback_attempt (at);

-- What the services have to make known, and to whom. In each schema the same tables: a row of the outbox commits with
-- the change it tells of, together with one delivery per consumer; the relay then wakes the queues of the consumers.
do $$
declare
  service text;
begin
  foreach service in array array['intake', 'organization', 'patients', 'bridge'] loop
    execute format('create schema %I', service);
    execute format('grant usage on schema %I to %I', service, 'scriptrail_' || service);
    execute format('create table %I.outbox (like router.outbox including all)', service);
    execute format($sql$
      create table %1$I.event_delivery (
        event_id uuid not null references %1$I.outbox,
        consumer text not null,
        aggregate_id text not null,
        -- the event's place in the outbox
        sequence bigint not null,
        -- dead ones hold up the later ones of their aggregate until they are driven again
        state text not null default 'pending' check (state in ('pending', 'delivered', 'dead')),
        attempts integer not null default 0,
        first_attempt_at timestamptz,
        due_at timestamptz,
        last_error text,
        -- when it was delivered or given up
        settled_at timestamptz,
        primary key (event_id, consumer)
      )
    $sql$, service);
    execute format(
      'create index event_delivery_open on %I.event_delivery (consumer, aggregate_id, sequence) where state <> ''delivered''',
      service
    );
    execute format('grant select, insert, update on %1$I.outbox, %1$I.event_delivery to %2$I', service, 'scriptrail_' || service);
  end loop;

  -- The revocation counters of admins as these services have heard of them (D72).
  foreach service in array array['intake', 'notification', 'patients', 'bridge'] loop
    execute format('create table %I.admin_session (admin_id text primary key, ver integer not null)', service);
    execute format('grant select, insert, update on %I.admin_session to %I', service, 'scriptrail_' || service);
  end loop;
end
$$;

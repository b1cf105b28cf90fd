-- What the services have to make known, and to whom. In each schema the same tables: a row of the outbox commits with
-- the change it tells of, together with one delivery per consumer; the relay ships them in order per aggregate and wakes
-- the queues of the consumers. It finds rows by their state, never by the last number it has seen.
do $$
declare
  service text;
begin
  foreach service in array array['router', 'orchestrator', 'intake', 'organization', 'patients', 'bridge'] loop
    execute format($sql$
      create table %1$I.outbox (
        -- also the token by which a consumer knows a repeat
        id uuid primary key default gen_random_uuid(),
        sequence bigint generated always as identity unique,
        source text not null,
        detail_type text not null,
        aggregate_id text not null,
        organization_id uuid,
        -- null: past its age, or erased; such an entry is not sent again (D94)
        detail jsonb,
        -- of the insertion, which happens under the aggregate's lock: the transaction may have begun before that of its
        -- predecessor
        time timestamptz not null default clock_timestamp(),
        shipped_at timestamptz,
        attempts integer not null default 0,
        retry_at timestamptz not null default now(),
        last_error text,
        -- given up; the later rows of its aggregate wait until it is driven again
        dead_at timestamptz
      );
      create index outbox_pending on %1$I.outbox (sequence) where shipped_at is null and dead_at is null;
      create index outbox_unshipped on %1$I.outbox (aggregate_id, sequence) where shipped_at is null;
      -- what has reached its age, and what happened in a window of time, is found without reading the rest (D94, D97)
      create index outbox_shipped_detail on %1$I.outbox (shipped_at) where shipped_at is not null and detail is not null;
      create index outbox_shipped on %1$I.outbox (shipped_at) where shipped_at is not null;
      create index outbox_time on %1$I.outbox (time);

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
        -- how often the consumer has refused it
        refusals integer not null default 0,
        primary key (event_id, consumer)
      );
      create index event_delivery_open on %1$I.event_delivery (consumer, aggregate_id, sequence) where state <> 'delivered';

      grant select, insert, update on %1$I.outbox, %1$I.event_delivery to scriptrail_%1$I;
      grant select, delete, update (detail) on %1$I.outbox to scriptrail_retention;
      grant select, delete on %1$I.event_delivery to scriptrail_retention;
    $sql$, service);
  end loop;

  -- The revocation counters of admins as these services have heard of them (D72).
  foreach service in array array['intake', 'notification', 'patients', 'bridge', 'worklist'] loop
    execute format($sql$
      create table %1$I.admin_session (admin_id text primary key, ver integer not null);
      grant select, insert, update on %1$I.admin_session to scriptrail_%1$I;
    $sql$, service);
  end loop;

  -- What a creating request was answered: the row commits with what was created, so that the same signed request is known
  -- again for as long as its timestamp is taken (D91).
  foreach service in array array['orchestrator', 'registry'] loop
    execute format($sql$
      create table %1$I.answered_request (
        -- SHA-256 of key, method, path and signature
        digest bytea primary key,
        -- null only inside the transaction that makes the row
        status smallint,
        answer text,
        expires_at timestamptz not null
      );
      create index answered_request_expired on %1$I.answered_request (expires_at);
      grant select, insert, update, delete on %1$I.answered_request to scriptrail_%1$I;
    $sql$, service);
  end loop;
end
$$;

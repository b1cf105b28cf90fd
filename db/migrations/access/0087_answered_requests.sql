-- What a creating request was answered, in each schema where such a request writes: the row commits with what was
-- created, so that the same signed request is known again for as long as its timestamp is taken (D91).
do $$
declare
  service text;
begin
  foreach service in array array['orchestrator', 'registry'] loop
    execute format($sql$
      create table %I.answered_request (
        -- SHA-256 of key, method, path and signature
        digest bytea primary key,
        -- null only inside the transaction that makes the row
        status smallint,
        answer text,
        expires_at timestamptz not null
      )
    $sql$, service);
    execute format('create index answered_request_expired on %I.answered_request (expires_at)', service);
    execute format('grant select, insert, update, delete on %I.answered_request to %I', service, 'scriptrail_' || service);
  end loop;
end
$$;

-- Before version 18 Postgres makes no such ids itself: 48 bits of milliseconds, then version, variant and randomness.
-- The file comes before all others, whose defaults name the function; from version 18 on the server's own is found first.
do $$
begin
  if not exists (select from pg_catalog.pg_proc where proname = 'uuidv7') then
    create function public.uuidv7() returns uuid language sql volatile set search_path = '' as $body$
      select pg_catalog.encode(
        pg_catalog.set_byte(
          pg_catalog.overlay(
            random,
            pg_catalog.substring(pg_catalog.int8send((extract(epoch from pg_catalog.clock_timestamp()) * 1000)::bigint), 3),
            1,
            6
          ),
          6,
          112 + pg_catalog.get_byte(random, 6) % 16
        ),
        'hex'
      )::uuid
      from pg_catalog.uuid_send(pg_catalog.gen_random_uuid()) as random
    $body$;
  end if;
end
$$;

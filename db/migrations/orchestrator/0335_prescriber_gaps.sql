-- The states where the registry had no prescriber when step 3 asked last (D122). A row stays, dismissed or not, until the
-- registry has one.
create table orchestrator.prescriber_gap (
  platform text not null,
  state text not null,
  asked_at timestamptz not null default now(),
  primary key (platform, state)
);
grant select, insert, update, delete on orchestrator.prescriber_gap to scriptrail_orchestrator;

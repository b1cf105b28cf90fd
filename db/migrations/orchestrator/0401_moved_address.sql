-- The new address of an order that is being moved (D105), for a run that takes over from a lost one; null once it is moved.
alter table orchestrator.task add column reroute_ship_to jsonb;
grant select (run_id, reroute_ship_to) on orchestrator.task to scriptrail_retention;

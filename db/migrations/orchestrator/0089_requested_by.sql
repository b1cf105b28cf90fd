-- The key of whoever asked for a run, a charge, or the present state of a schedule (D88); null: nobody over the API.
alter table orchestrator.run add column requested_by text;
alter table orchestrator.payment add column requested_by text;
alter table orchestrator.refill_schedule add column requested_by text;

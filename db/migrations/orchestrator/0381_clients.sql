-- Whose they are (D140); '' is the default client.
alter table orchestrator.task add column client text not null default '';
alter table orchestrator.run add column client text not null default '';
alter table orchestrator.refill_schedule add column client text not null default '';
create index run_by_client on orchestrator.run (client, created_at desc, id desc) where client <> '';
create index refill_schedule_by_client on orchestrator.refill_schedule (client, id desc) where client <> '';

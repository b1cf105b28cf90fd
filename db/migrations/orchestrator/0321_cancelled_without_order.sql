-- A person gave up a failed approval, so the task is cancelled even though it has no order (D137).
alter table orchestrator.cancellation add column without_order boolean not null default false;

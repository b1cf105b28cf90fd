-- When the pharmacy of a live order said that it does not have it (D138); null while the order is there.
alter table orchestrator.order_reference add column missing_since timestamptz;

-- The newest decision was given when the gap before its fill was known: an earlier one does not count for it (D126).
alter table orchestrator.plan add is_gap_decided boolean not null default false;

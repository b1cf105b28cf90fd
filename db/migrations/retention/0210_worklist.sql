-- What people did about work items, and what was tried again in bulk, goes with its age (D94); what they noted may name
-- somebody, and is overwritten when that person is erased.
grant usage on schema worklist to scriptrail_retention;
grant select, delete on worklist.work_item, worklist.history, orchestrator.recovery, orchestrator.recovery_item
  to scriptrail_retention;
grant update (note) on worklist.history to scriptrail_retention;

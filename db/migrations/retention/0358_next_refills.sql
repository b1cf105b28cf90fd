-- Erasing (D94): where refills go, why one was skipped, and changed directions.
grant update (ship_to, ship_to_fills, skip_reason) on orchestrator.refill_schedule to scriptrail_retention;
grant update (ship_to) on orchestrator.run to scriptrail_retention;
grant select, update (dosage) on orchestrator.direction_change to scriptrail_retention;
grant select, update (answer) on orchestrator.answered_request to scriptrail_retention;

-- A refill's payment is found by how its reference begins, whatever the database's own order of texts.
create index payment_by_prefix on orchestrator.payment (task_id collate "C");

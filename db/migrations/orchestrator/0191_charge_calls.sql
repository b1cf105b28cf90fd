-- By whose word the present attempt was made: the same word again does not make another after a decline (D37).
alter table orchestrator.payment add column call_id uuid;

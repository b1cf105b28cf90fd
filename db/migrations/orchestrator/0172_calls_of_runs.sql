-- A timeline counts the calls of each run's steps (D111).
create index downstream_call_of_run on orchestrator.downstream_call (run_workflow_id, created_at);

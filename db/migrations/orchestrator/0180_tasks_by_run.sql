-- What is written of a run's outcome, and what the sweep looks for, stays as fast beside a million closed tasks.
create index task_by_run on orchestrator.task (run_id);
create index task_open_denial on orchestrator.task (updated_at) where kind = 'deny' and state = 'running';

-- A task by the beginning of its own id, whosever it is (D134).
create index run_by_own_id on orchestrator.run ((substr(task_id, strpos(task_id, chr(31)) + 1)) collate "C");

-- The task whose order, charge or refill has this reference, as its client named it: `refill-<schedule>` for a refill.
create function orchestrator.task_of(named text) returns text language sql stable as $$
  select coalesce(
    (
      select run.task_id
      from orchestrator.order_reference ref
      join orchestrator.task on task.task_id = ref.task_id
      join orchestrator.run on run.id = task.run_id
      where ref.reference = named
    ),
    (
      select run.task_id from orchestrator.replacement replaced
      join orchestrator.run on run.id = replaced.run_id
      where replaced.reference = named
    ),
    named
  )
$$;

-- The client of a task or a plan (D140).
create function orchestrator.client_of(of_task text, of_plan uuid) returns text language sql stable as $$
  select coalesce(
    (select client from orchestrator.task where task.task_id = of_task),
    (
      select client from orchestrator.refill_schedule
      where id = coalesce(of_plan, substring(of_task from '^refill-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$')::uuid)
    ),
    ''
  )
$$;

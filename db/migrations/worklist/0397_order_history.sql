-- What people did to an order at the desk, with their notes (D135).
create table worklist.order_history (
  -- of the request, so that a repeat is one entry
  id uuid primary key,
  -- the task as the orchestrator names it inside
  task_key text not null,
  at timestamptz(3) not null default now(),
  actor text not null,
  action text not null,
  note text
);
create index order_history_of_task on worklist.order_history (task_key, at);
create index order_history_by_age on worklist.order_history (at);
grant select, insert, delete on worklist.order_history to scriptrail_worklist;
grant select, delete on worklist.order_history to scriptrail_retention;
grant update (note) on worklist.order_history to scriptrail_retention;

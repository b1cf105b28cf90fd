-- What waits for a person, of all services in one list (D109). Each item is as its service last told of it; who answers,
-- who puts it off and what was noted is kept here.
create table worklist.work_item (
  id uuid primary key,
  -- whose it is
  source text not null,
  kind text not null,
  reason text not null,
  title text not null,
  -- ids by what they are of
  refers_to jsonb not null,
  organization_id uuid,
  answers text[] not null,
  workflow_id text,
  opened_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  closed_at timestamptz(3),
  closed_by text,
  answer text,
  snoozed_until timestamptz(3),
  -- an answer that is on its way to the service, and whose it is
  answering text,
  answering_by text,
  check ((closed_at is null) = (closed_by is null) and (answering is null) = (answering_by is null))
);
create index work_item_open on worklist.work_item (due_at, id) where closed_at is null;
create index work_item_closed on worklist.work_item (closed_at) where closed_at is not null;
-- In the order of the list: a page of it reads no more than the page, however many items are closed.
create index work_item_listed on worklist.work_item ((closed_at is not null), due_at, id);
create index work_item_of_kind on worklist.work_item (kind, (closed_at is not null), due_at, id);
create index work_item_of_organization
  on worklist.work_item ((organization_id::text), (closed_at is not null), due_at, id);
-- A timeline looks for the items of a task's orders too (D111): the router knows those by their submissions only.
create index work_item_of_task on worklist.work_item ((refers_to ->> 'taskId'));
create index work_item_of_submission on worklist.work_item ((refers_to ->> 'submissionId'));

create table worklist.history (
  position bigint generated always as identity primary key,
  item_id uuid not null references worklist.work_item,
  at timestamptz(3) not null default now(),
  -- an admin's e-mail address, or system
  actor text not null,
  action text not null check (action in ('opened', 'answered', 'refused', 'snoozed', 'noted', 'closed')),
  note text,
  -- of what a service told: known again when it is told again
  event_id uuid unique,
  -- stands apart from the person's text, which stays unchanged (D115)
  answer text,
  -- which fields of an order an answer changed (D145); their values stay with the order
  changed text[] not null default '{}'
);
create index history_of_item on worklist.history (item_id, position);
create index history_noted on worklist.history (position) where action in ('answered', 'refused', 'noted');

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

grant select, insert, update on worklist.work_item to scriptrail_worklist;
grant select, insert on worklist.history to scriptrail_worklist;
grant select, insert, delete on worklist.order_history to scriptrail_worklist;

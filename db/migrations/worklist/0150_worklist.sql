-- What waits for a person, of all services in one list (D109). Each item is as its service last told of it; who answers,
-- who puts it off and what was noted is kept here.
create schema worklist;
grant usage on schema worklist, access to scriptrail_worklist;

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
create index work_item_closed on worklist.work_item (due_at, id) where closed_at is not null;
create index work_item_of_task on worklist.work_item ((refers_to ->> 'taskId'));

create table worklist.history (
  position bigint generated always as identity primary key,
  item_id uuid not null references worklist.work_item,
  at timestamptz(3) not null default now(),
  -- an admin's e-mail address, or system
  actor text not null,
  action text not null check (action in ('opened', 'answered', 'refused', 'snoozed', 'noted', 'closed')),
  note text,
  -- of what a service told: known again when it is told again
  event_id uuid unique
);
create index history_of_item on worklist.history (item_id, position);

create table worklist.admin_session (admin_id text primary key, ver integer not null);

grant select, insert, update on worklist.work_item, worklist.admin_session to scriptrail_worklist;
grant select, insert on worklist.history to scriptrail_worklist;
grant insert on access.access_event to scriptrail_worklist;

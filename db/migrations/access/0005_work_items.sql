-- What waits for a person (D109), in the schema of the service whose fact it is: a row is opened and closed in the
-- transaction of the fact, and told of by that service's events. Nothing in a row says anything of a patient but ids.
do $$
declare
  service text;
begin
  foreach service in array array['router', 'orchestrator', 'intake', 'organization', 'patients', 'bridge'] loop
    execute format($sql$
      create table %1$I.work_item (
        id uuid primary key default gen_random_uuid(),
        kind text not null,
        -- coded, as is the title a fixed text
        reason text not null,
        title text not null,
        -- ids by what they are of, such as intakeId and patientId
        refers_to jsonb not null,
        organization_id uuid,
        state text not null default 'open' check (state in ('open', 'closed')),
        -- the answers it takes
        answers text[] not null,
        -- what it is about: there is one item for each, however often it is reported
        fact text not null,
        opened_at timestamptz not null default now(),
        due_at timestamptz not null,
        closed_at timestamptz,
        -- an admin's e-mail address, or system
        closed_by text,
        answer text,
        -- the run that waits or failed
        workflow_id text,
        -- a person's answer that is being carried out: what settles the fact meanwhile is theirs, and a fact that is
        -- reported anew meanwhile is not closed by it
        answering text,
        answering_by text,
        unique (kind, fact),
        check ((state = 'closed') = (closed_at is not null) and (closed_at is null) = (closed_by is null))
      );
      create index work_item_due on %1$I.work_item (due_at) where state <> 'closed';
      grant select, insert, update on %1$I.work_item to scriptrail_%1$I;
    $sql$, service);
  end loop;
end
$$;

create index work_item_of_task on orchestrator.work_item ((refers_to ->> 'taskId'));
create index work_item_of_reference on orchestrator.work_item ((refers_to ->> 'reference'));
create index work_item_of_fact on orchestrator.work_item (fact);
-- The open item of a schedule (D116), and of a plan.
create index work_item_of_failed_refill on orchestrator.work_item ((refers_to ->> 'scheduleId'))
  where kind = 'refill_failed' and state <> 'closed';
create index work_item_open_plan on orchestrator.work_item ((refers_to ->> 'planId'))
  where state <> 'closed' and kind in ('check_in_missing', 'decision_needed');

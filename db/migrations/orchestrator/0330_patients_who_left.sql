-- Patients who get no more refills, with the reason of the EMR or of our directory (D117). A schedule that is made
-- later is paused by it, and a recovery of a charge ends.
create table orchestrator.patient_departure (
  emr_patient_id text primary key,
  reason text not null
    check (reason in ('patient_inactive', 'patient_merged', 'patient_deceased', 'patient_archived')),
  updated_at timestamptz not null default now()
);
grant select, insert, update, delete on orchestrator.patient_departure to scriptrail_orchestrator;
-- Counts only while the schedule is paused; null there means that an operator asked for the pause.
alter table orchestrator.refill_schedule add column paused_reason text
  check (paused_reason in ('asked', 'patient_inactive', 'patient_merged', 'patient_deceased', 'patient_archived'));
-- The open item of a schedule (D116).
create index work_item_of_failed_refill on orchestrator.work_item ((refers_to ->> 'scheduleId'))
  where kind = 'refill_failed' and state <> 'closed';

-- Patients of intakes whom nothing can be ordered for yet (D109), and when the EMR is asked about them next. Ids only.
create table intake.incomplete_patient (
  submission_id uuid primary key,
  emr_patient_id text not null,
  check_at timestamptz not null default now()
);
create index incomplete_patient_due on intake.incomplete_patient (check_at);
grant select, insert, update, delete on intake.incomplete_patient to scriptrail_intake;

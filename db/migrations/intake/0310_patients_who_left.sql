-- An intake does not join a deceased, merged or inactive patient (D148).
alter table intake.own_patient drop constraint own_patient_reason_check;
alter table intake.own_patient add constraint own_patient_reason_check
  check (reason in ('other_person', 'record_incomplete', 'patient_left'));

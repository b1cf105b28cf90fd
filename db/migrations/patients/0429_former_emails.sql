-- Addresses that a patient had before: messages and orders under them are the patient's too, until an erasure (D94).
alter table patients.patient_directory add column former_emails text[] not null default '{}';
grant update (former_emails) on patients.patient_directory to scriptrail_patients, scriptrail_retention;

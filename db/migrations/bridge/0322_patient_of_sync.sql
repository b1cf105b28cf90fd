-- The directory's patient, whom a person looks for when a write-back fails (D115). Null for rows of other records.
alter table bridge.emr_sync_attempts add column patient_id text;

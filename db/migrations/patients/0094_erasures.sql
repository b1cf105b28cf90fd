-- What a superadmin asked to be erased, one row per patient (D94). It holds ids only, so it stays.
create table patients.erasure (
  id uuid primary key default gen_random_uuid(),
  patient_id uuid not null unique references patients.patient_directory,
  state text not null default 'running' check (state in ('running', 'completed')),
  -- the admin
  requested_by text not null,
  requested_at timestamptz(3) not null default now(),
  completed_at timestamptz(3),
  -- under which the EMR knows the patient, as far as our tables tell: kept, since the address that leads to some of
  -- them is overwritten
  emr_patient_ids text[] not null default '{}',
  check ((state = 'completed') = (completed_at is not null))
);
create index erasure_running on patients.erasure (requested_at) where state = 'running';

grant select, insert on patients.erasure to scriptrail_patients;
grant update (state, requested_by, requested_at, completed_at) on patients.erasure to scriptrail_patients;

-- The archive is added to and, by the retention role alone, erased from; the hash still tells what was handed in.
alter table patients.intake_snapshots
  add column erased_at timestamptz(3),
  drop constraint intake_snapshots_check,
  add check (erased_at is not null or payload_hash = encode(sha256(payload), 'hex'));
drop trigger insert_only on patients.intake_snapshots;
create trigger never_changed before update on patients.intake_snapshots for each statement
  when (current_user <> 'scriptrail_retention') execute function patients.refuse_change();
create trigger never_deleted before delete or truncate on patients.intake_snapshots
  for each statement execute function patients.refuse_change();

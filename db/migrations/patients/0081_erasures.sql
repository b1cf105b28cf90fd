-- What a superadmin asked to be erased, one row per patient (D94). Once completed it holds ids only, so it stays.
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
  -- whose an address is, as long as the erasure runs: it overwrites the intakes that say so. Empty afterwards.
  emails text[] not null default '{}',
  people jsonb not null default '[]',
  -- whether records stay that only an address links to the patient, since it may be another person's too
  leaves_by_address boolean not null default false,
  check ((state = 'completed') = (completed_at is not null))
);
create index erasure_running on patients.erasure (requested_at) where state = 'running';
-- What an erasure empties.
create index outbox_of_patient on patients.outbox (aggregate_id) where detail is not null;

grant select, insert on patients.erasure to scriptrail_patients;
grant update (state, requested_by, requested_at, completed_at) on patients.erasure to scriptrail_patients;
